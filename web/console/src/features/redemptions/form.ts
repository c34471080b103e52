import type { UnixSeconds } from '@tollgate/contracts/units'
import { parseTimeText, timeText } from '@tollgate/domain/display/time-text'
import type { NewRedemptions, Redemption, RedemptionChange } from '@tollgate/contracts/resources/redemptions'

/** The drawer's fields, as typed. */
export type CodeForm = { readonly name: string; readonly quota: string; readonly count: string; readonly expiry: string }

export const EMPTY_FORM: CodeForm = { name: '', quota: '100000', count: '1', expiry: '' }
export const COUNT_CHOICES = [1, 10, 50, 100] as const
const MAX_NAME = 20
const MAX_COUNT = 100

export const toForm = ({ name, quota, expired_time }: Redemption): CodeForm => ({
  name,
  quota: String(quota),
  count: '1',
  expiry: expired_time === 0 ? '' : timeText(expired_time),
})

export type CodeProblem = { readonly field: keyof CodeForm; readonly text: 'name' | 'quota' | 'count' | 'count-high' | 'expiry' }

export function problemsOf({ name, quota, count, expiry }: CodeForm, isNew: boolean): readonly CodeProblem[] {
  const problems: CodeProblem[] = []
  const length = [...name.trim()].length
  // A new code without a name is named after its quota.
  if (length > MAX_NAME || (!isNew && length === 0)) problems.push({ field: 'name', text: 'name' })
  if (wholeNumber(quota) === undefined) problems.push({ field: 'quota', text: 'quota' })
  if (endOf(expiry) === undefined) problems.push({ field: 'expiry', text: 'expiry' })
  if (isNew && wholeNumber(count) === undefined) problems.push({ field: 'count', text: 'count' })
  else if (isNew && Number(count) > MAX_COUNT) problems.push({ field: 'count', text: 'count-high' })
  return problems
}

/** The end as typed: empty means never; undefined when it is no time. */
function endOf(text: string): UnixSeconds | undefined {
  return text.trim() === '' ? 0 : parseTimeText(text.trim())
}

export function toNewCodes({ name, quota, count, expiry }: CodeForm, nameOf: (quota: number) => string): NewRedemptions {
  const amount = wholeNumber(quota) ?? 0
  const expired_time = endOf(expiry) ?? 0
  return { name: name.trim() === '' ? nameOf(amount) : name.trim(), quota: amount, count: wholeNumber(count) ?? 0, expired_time }
}

/** Only what differs from the code the drawer was opened with. */
export function toChange({ id, name, quota, expired_time }: Redemption, form: CodeForm): RedemptionChange {
  return {
    id,
    ...(form.name.trim() === name ? {} : { name: form.name.trim() }),
    ...(Number(form.quota) === quota ? {} : { quota: wholeNumber(form.quota) ?? 0 }),
    ...(endOf(form.expiry) === expired_time ? {} : { expired_time: endOf(form.expiry) ?? 0 }),
  }
}

function wholeNumber(text: string): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}
