import { hasLimit, type Limits } from '@tollgate/contracts/relay/limits'
import type { SelfChange } from '@tollgate/contracts/resources/self'
import type { NewUser, User, UserChange } from '@tollgate/contracts/resources/users'
import { changesOf } from '../../ui/form/changes.ts'
import { LIMIT_FIELDS } from '../../ui/form/limits.ts'

/** The drawer's fields, as typed. */
export type UserForm = {
  readonly username: string
  readonly display_name: string
  readonly password: string
  readonly original_password: string
  readonly group: string
  /** Requests and tokens per minute, open requests; empty: no limit. */
  readonly rpm: string
  readonly tpm: string
  readonly concurrency: string
}

export const EMPTY_FORM: UserForm = {
  username: '',
  display_name: '',
  password: '',
  original_password: '',
  group: '',
  rpm: '',
  tpm: '',
  concurrency: '',
}

export function toForm({ username, display_name, group, limits }: User): UserForm {
  const text = (count: number | undefined): string => (count === undefined ? '' : String(count))
  return {
    ...EMPTY_FORM,
    username,
    display_name,
    group,
    rpm: text(limits?.rpm),
    tpm: text(limits?.tpm),
    concurrency: text(limits?.concurrency),
  }
}

export type UserProblem = {
  readonly field: keyof UserForm
  readonly text: 'blank' | 'username-long' | 'display-name-long' | 'password' | 'limit'
}

const lengthOf = (text: string): number => [...text].length

/** Problems that the server would refuse. A name that is longer than allowed may stay: accounts of third parties have such. */
export function problemsOf(form: UserForm, opened: UserForm, isNew: boolean): readonly UserProblem[] {
  const problems: UserProblem[] = []
  const add = (field: keyof UserForm, text: UserProblem['text']): void => void problems.push({ field, text })
  if (form.username.trim() === '') add('username', 'blank')
  else if (form.username !== opened.username && lengthOf(form.username.trim()) > 12) add('username', 'username-long')
  if (form.display_name !== opened.display_name && lengthOf(form.display_name.trim()) > 20) add('display_name', 'display-name-long')
  if (isNew && form.password === '') add('password', 'blank')
  else if (form.password !== '' && (lengthOf(form.password) < 8 || lengthOf(form.password) > 20)) add('password', 'password')
  for (const field of LIMIT_FIELDS) if (form[field].trim() !== '' && wholeNumber(form[field], 1) === undefined) add(field, 'limit')
  return problems
}

export function toNewUser({ username, display_name, password }: UserForm): NewUser {
  return { username: username.trim(), display_name: display_name.trim(), password }
}

/** Only what differs from the user the drawer was opened with. */
export function toChange(user: User, form: UserForm): UserChange | undefined {
  const before = toForm(user)
  const { rpm: _rpm, tpm: _tpm, concurrency: _concurrency, original_password: _old, password, ...texts } = form
  const { username, display_name, group } = changesOf(before, { ...before, ...texts })
  const change = {
    ...(username === undefined ? {} : { username: username.trim() }),
    ...(display_name === undefined ? {} : { display_name: display_name.trim() }),
    ...(group === undefined ? {} : { group }),
    ...(password === '' ? {} : { password }),
  }
  return Object.keys(change).length === 0 ? undefined : { id: user.id, ...change }
}

export function toSelfChange(user: User, form: UserForm): SelfChange {
  return {
    ...(form.username === user.username ? {} : { username: form.username.trim() }),
    ...(form.display_name === user.display_name ? {} : { display_name: form.display_name.trim() }),
    ...(form.password === '' ? {} : { password: form.password, original_password: form.original_password }),
  }
}

/** The limits to save; undefined: unchanged. */
export function toLimits(user: User, form: UserForm): Limits | null | undefined {
  const before = toForm(user)
  if (LIMIT_FIELDS.every((field) => form[field].trim() === before[field])) return undefined
  const limits: Limits = Object.fromEntries(
    LIMIT_FIELDS.flatMap((field) => {
      const count = wholeNumber(form[field], 1)
      return count === undefined ? [] : [[field, count]]
    }),
  )
  return hasLimit(limits) ? limits : null
}

export function wholeNumber(text: string, least: number): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isSafeInteger(number) && number >= least ? number : undefined
}
