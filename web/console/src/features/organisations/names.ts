import type { FormProblem } from '../../ui/form/use-resource-form.ts'

/** Runs work that the server does only after the caller proved to be the owner of the session. */
export type Guarded = <T>(work: () => Promise<T>) => Promise<T>

export type NameForm = { readonly name: string }

/** The server checks the rest, as it knows the rules. */
export const nameProblems =
  (text: string) =>
  ({ name }: NameForm): readonly FormProblem<NameForm>[] =>
    name.trim() === '' ? [{ field: 'name', message: text }] : []
