import type { NewRedemptions, Redemption, RedemptionChange } from '@tollgate/contracts/resources/redemptions'

/** The drawer's fields, as typed. */
export type CodeForm = { readonly name: string; readonly quota: string; readonly count: string }

export const EMPTY_FORM: CodeForm = { name: '', quota: '100000', count: '1' }
export const COUNT_CHOICES = [1, 10, 50, 100] as const
const MAX_NAME = 20
const MAX_COUNT = 100

export const toForm = ({ name, quota }: Redemption): CodeForm => ({ name, quota: String(quota), count: '1' })

export type CodeProblem = { readonly field: keyof CodeForm; readonly text: 'name' | 'quota' | 'count' | 'count-high' }

export function problemsOf({ name, quota, count }: CodeForm, isNew: boolean): readonly CodeProblem[] {
  const problems: CodeProblem[] = []
  const length = [...name.trim()].length
  // A new code without a name is named after its quota.
  if (length > MAX_NAME || (!isNew && length === 0)) problems.push({ field: 'name', text: 'name' })
  if (wholeNumber(quota) === undefined) problems.push({ field: 'quota', text: 'quota' })
  if (isNew && wholeNumber(count) === undefined) problems.push({ field: 'count', text: 'count' })
  else if (isNew && Number(count) > MAX_COUNT) problems.push({ field: 'count', text: 'count-high' })
  return problems
}

export function toNewCodes({ name, quota, count }: CodeForm, nameOf: (quota: number) => string): NewRedemptions {
  const amount = wholeNumber(quota) ?? 0
  return { name: name.trim() === '' ? nameOf(amount) : name.trim(), quota: amount, count: wholeNumber(count) ?? 0 }
}

/** Only what differs from the code the drawer was opened with. */
export function toChange({ id, name, quota }: Redemption, form: CodeForm): RedemptionChange {
  return {
    id,
    ...(form.name.trim() === name ? {} : { name: form.name.trim() }),
    ...(Number(form.quota) === quota ? {} : { quota: wholeNumber(form.quota) ?? 0 }),
  }
}

function wholeNumber(text: string): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}
