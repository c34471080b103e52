import type { FormProblem } from '../../ui/form/use-resource-form.ts'

export type NameForm = { readonly name: string }

/** The server checks the rest, as it knows the rules. */
export const nameProblems =
  (text: string) =>
  ({ name }: NameForm): readonly FormProblem<NameForm>[] =>
    name.trim() === '' ? [{ field: 'name', message: text }] : []
