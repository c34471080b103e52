import { useRef, useState } from 'react'
import { useForm, useWatch, type FieldValues } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/report.ts'
import type { Confirmation } from '../overlay/confirm-dialog.tsx'

/** Why a value cannot be saved, in the reader's language. */
export type FormProblem<Values> = { readonly field: keyof Values & string; readonly message: string }

/** Props that every input of the kit takes from its form. */
export type Bound<Value> = {
  readonly value: Value
  readonly onValue: (value: Value) => void
  readonly error: string | undefined
  readonly field: string
}

type Question = Omit<Confirmation, 'run'>

type FormOptions<Values> = {
  /** Read once: a refetch in the background must not change what the values are compared with. */
  readonly initial: Values
  /** A new thing can be saved as it is; an existing one only when something changed. */
  readonly isNew: boolean
  /** Message of a save without a change; without this text the button waits for a change. */
  readonly unchanged?: string
  readonly problemsOf: (values: Values) => readonly FormProblem<Values>[]
  /** Sends the values. Throws what the server refused; the mutation is `quiet`, because the form shows the refusal. */
  readonly save: (values: Values) => Promise<unknown>
  readonly onSaved: () => void
  /** A question before these values are saved. */
  readonly askBefore?: (values: Values, initial: Values) => Question | undefined
  /** The form's field for a field that the server refused, where the names differ. */
  readonly serverFields?: Readonly<Record<string, keyof Values & string>>
}

/** A form as its frame and its fields see it. */
export type ResourceForm<Values> = {
  readonly values: Values
  readonly isNew: boolean
  readonly isDirty: boolean
  readonly unchanged: string | undefined
  readonly isBusy: boolean
  /** How often a save was tried: after each, the focus goes to the first problem. */
  readonly tries: number
  /** Number of problems that keep the form from being saved, from the first try on. */
  readonly problemCount: number
  /** The server's refusal, where it belongs to no field. */
  readonly failure: string | undefined
  readonly question: Question | undefined
  readonly set: (change: Partial<Values>) => void
  readonly field: <Name extends keyof Values & string>(name: Name) => Bound<Values[Name]>
  /** A field lost the focus: from now on it shows its problem. */
  readonly leave: (field: string) => void
  /** Sends the values unless something is wrong with them. `false`: another save is still running. */
  readonly submit: () => boolean
  readonly answer: (isYes: boolean) => void
  /** True if closing would lose something. */
  readonly isGuarded: () => boolean
  readonly release: () => void
}

/** The state of a form that edits one thing: its values, what changed, a problem per field, and a save that is sent once. */
export function useResourceForm<Values extends FieldValues>(options: FormOptions<Values>): ResourceForm<Values> {
  const { initial, isNew, problemsOf, save, onSaved, askBefore, serverFields } = options
  const form = useForm<FieldValues>({
    defaultValues: initial,
    shouldFocusError: false,
    resolver: (all) => toResult(all, problemsOf(valuesOf<Values>(all))),
  })
  const { isDirty, isSubmitting, submitCount, touchedFields, errors } = form.formState
  const values = valuesOf<Values>(useWatch({ control: form.control }))
  const [opened] = useState(initial)
  const [question, setQuestion] = useState<Question | undefined>(undefined)
  // State arrives a render later: two clicks in one would both be sent.
  const isRunning = useRef(false)
  const isOver = useRef(false)
  const problems = problemsOf(values)

  const send = async (all: Values, isAnswered: boolean): Promise<void> => {
    const asked = isAnswered ? undefined : askBefore?.(all, opened)
    setQuestion(asked)
    if (asked !== undefined) return
    try {
      await save(all)
      isOver.current = true
      onSaved()
    } catch (error) {
      const field = fieldOf(error, serverFields ?? {})
      form.setError(field !== undefined && field in all ? field : 'root.server', { type: 'server', message: failureText(error) ?? '' })
    }
  }
  const start = (isAnswered: boolean): boolean => {
    if (isRunning.current) return false
    isRunning.current = true
    form.clearErrors()
    void form
      .handleSubmit((all) => send(valuesOf<Values>(all), isAnswered))()
      .finally(() => (isRunning.current = false))
    return true
  }
  const set = (change: Partial<Values>): void => {
    for (const [name, value] of Object.entries(change)) {
      form.setValue(name, value, { shouldDirty: true })
      form.clearErrors(name)
    }
  }
  const errorOf = (name: string): string | undefined => {
    const told = errors[name]
    if (told?.type === 'server') return typeof told.message === 'string' ? told.message : ''
    const isShown = submitCount > 0 || touchedFields[name] === true
    return isShown ? problems.find(({ field }) => field === name)?.message : undefined
  }
  return {
    values,
    isNew,
    isDirty,
    unchanged: options.unchanged,
    isBusy: isSubmitting,
    tries: submitCount,
    problemCount: submitCount > 0 ? problems.length : 0,
    failure: errors.root?.['server']?.message,
    question,
    set,
    field: (name) => ({
      value: values[name],
      // One field of these values, under its own name.
      onValue: (value) => set({ [name]: value } as unknown as Partial<Values>),
      error: errorOf(name),
      field: name,
    }),
    leave: (name) => form.setValue(name, values[name], { shouldTouch: true }),
    submit: () => start(false),
    answer: (isYes) => {
      setQuestion(undefined)
      if (isYes) start(true)
    },
    isGuarded: () => isDirty && !isOver.current,
    release: () => {
      isOver.current = true
    },
  }
}

/** The library knows values by name only; they start complete and are set through `set`. */
function valuesOf<Values>(all: FieldValues): Values {
  return all as Values
}

function toResult<Values>(values: FieldValues, problems: readonly FormProblem<Values>[]) {
  if (problems.length === 0) return { values, errors: {} }
  return { values: {}, errors: Object.fromEntries(problems.map(({ field, message }) => [field, { type: 'invalid', message }])) }
}

function fieldOf(error: unknown, names: Readonly<Record<string, string>>): string | undefined {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused' || error.failure.field === undefined) return undefined
  return names[error.failure.field] ?? error.failure.field
}
