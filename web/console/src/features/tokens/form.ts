import { MAX_FALLBACKS } from '@tollgate/contracts/relay/model-fallbacks'
import { hasLimit, type Limits } from '@tollgate/contracts/relay/limits'
import type { NewToken, Token, TokenChange } from '@tollgate/contracts/resources/tokens'
import type { SeenRow } from '@tollgate/contracts/values/seen-row'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { AUTO_GROUP } from '@tollgate/domain/access/group'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import { parseTimeText, timeText } from '@tollgate/domain/display/time-text'
import { changesOf } from '../../ui/form/changes.ts'
import { fromCommaList } from '../../ui/form/pick-list.ts'
import { LIMIT_FIELDS, type LimitField } from '../../ui/form/limits.ts'

/** The drawer's fields, as typed. */
export type TokenForm = {
  readonly name: string
  readonly count: string
  readonly quota: string
  readonly isUnlimited: boolean
  readonly expiry: string
  readonly isLimited: boolean
  readonly models: readonly string[]
  readonly ips: string
  readonly group: string
  /** For the group `auto` only. */
  readonly crossesGroups: boolean
  /** Id of the project of an organisation’s token; empty: none. */
  readonly project: string
  /** The token has a chain of its own; off: the site's chains. */
  readonly hasFallbacks: boolean
  readonly fallbacks: readonly string[]
  /** Prompts and answers are in traces. */
  readonly tracesContent: boolean
  /** Receipts have hashes of request and answer. */
  readonly hashesBodies: boolean
  /** Requests and tokens per minute, open requests; empty: no limit. */
  readonly rpm: string
  readonly tpm: string
  readonly concurrency: string
}

const NEVER = -1
const DEFAULT_TOKEN_QUOTA = 500_000
/** Preset quotas with the labels of the specification. */
export const QUOTA_PRESETS = [1, 10, 50, 100, 500, 1_000].map((dollars) => ({ dollars, value: String(dollars * DEFAULT_TOKEN_QUOTA) }))
export const COUNT_CHOICES = [10, 20, 30, 100] as const
/** Seconds from now; a month is 30 days. */
const MAX_NAME = 30
const SUFFIX_LENGTH = 6

export const EMPTY_FORM: TokenForm = {
  name: '',
  count: '1',
  quota: String(DEFAULT_TOKEN_QUOTA),
  isUnlimited: false,
  expiry: '',
  isLimited: false,
  models: [],
  ips: '',
  group: '',
  crossesGroups: false,
  project: '',
  hasFallbacks: false,
  fallbacks: [],
  tracesContent: false,
  hashesBodies: false,
  rpm: '',
  tpm: '',
  concurrency: '',
}

export function toForm(token: Token): TokenForm {
  return {
    name: token.name,
    count: '1',
    quota: String(token.remain_quota),
    isUnlimited: token.unlimited_quota,
    expiry: token.expired_time === NEVER ? '' : timeText(token.expired_time),
    isLimited: token.model_limits_enabled,
    models: fromCommaList(token.model_limits),
    ips: token.allow_ips,
    group: token.group,
    crossesGroups: token.cross_group_retry,
    project: (token.project_id ?? 0) === 0 ? '' : String(token.project_id),
    hasFallbacks: token.fallback_models !== null,
    fallbacks: fromCommaList(token.fallback_models ?? ''),
    tracesContent: token.telemetry_content,
    hashesBodies: token.receipt_hashes,
    rpm: countText(token.limits?.rpm),
    tpm: countText(token.limits?.tpm),
    concurrency: countText(token.limits?.concurrency),
  }
}

/** Fields of the limits, as the form shows them. */

export type TokenProblem = {
  readonly field: 'name' | 'quota' | 'expiry' | 'count' | 'models' | 'ips' | 'fallbacks' | LimitField
  readonly text: 'name' | 'name-long' | 'quota' | 'expiry' | 'count' | 'models' | 'ips' | 'fallbacks' | 'limit'
  /** Line of the address list, from 1; 0 elsewhere. */
  readonly line: number
}

/** Fields of a token that the form calls differently. */
export const SERVER_FIELDS = {
  remain_quota: 'quota',
  expired_time: 'expiry',
  allow_ips: 'ips',
  model_limits: 'models',
  fallback_models: 'fallbacks',
} as const

/** Everything that keeps the form from being saved, in the order of the fields. */
export function problemsOf(form: TokenForm, isNew: boolean): readonly TokenProblem[] {
  const problems: TokenProblem[] = []
  const add = (field: TokenProblem['field'], text: TokenProblem['text'], line = 0): void => void problems.push({ field, text, line })
  if (isNew && form.name.trim() === '') add('name', 'name')
  if ([...form.name.trim()].length > MAX_NAME) add('name', 'name-long')
  if (isNew && wholeNumber(form.count, 1) === undefined) add('count', 'count')
  // An exhausted token may stand below zero: only a typed amount must not.
  if (!form.isUnlimited && wholeNumber(form.quota, isNew ? 0 : -Infinity) === undefined) add('quota', 'quota')
  if (expiryOf(form.expiry) === undefined) add('expiry', 'expiry')
  if (form.isLimited && form.models.length === 0) add('models', 'models')
  if (form.hasFallbacks && form.fallbacks.length > MAX_FALLBACKS) add('fallbacks', 'fallbacks')
  const line = form.ips.split('\n').findIndex((entry) => entry.trim() !== '' && !isAddressOrRange(entry.trim()))
  if (line >= 0) add('ips', 'ips', line + 1)
  for (const field of LIMIT_FIELDS) if (form[field].trim() !== '' && wholeNumber(form[field], 1) === undefined) add(field, 'limit')
  return problems
}

/** The expiry as typed: empty and -1 mean never; undefined when it is no time. */
export function expiryOf(text: string): UnixSeconds | undefined {
  const trimmed = text.trim()
  return trimmed === '' || trimmed === String(NEVER) ? NEVER : parseTimeText(trimmed)
}

/** Bodies of the new tokens, one per token; each name after the first gets a random suffix. */
export function toNewTokens(form: TokenForm, random: () => number): readonly NewToken[] {
  const count = wholeNumber(form.count, 1) ?? 1
  return Array.from({ length: count }, (_body, index) => ({
    ...bodyOf(form),
    ...(form.project === '' ? {} : { project_id: Number(form.project) }),
    name: index === 0 ? form.name.trim() : `${form.name.trim()}-${suffix(random)}`,
  }))
}

/** Only what differs from the token the drawer was opened with; `formId` was made when it was opened. */
export function toChange(token: Token, form: TokenForm, formId: string): TokenChange {
  const changed = changesOf(bodyOf(toForm(token)), bodyOf(form))
  const quotaBefore = changed.remain_quota === undefined ? {} : { remain_quota_before: token.remain_quota, form_id: formId }
  const project = form.project === toForm(token).project ? {} : { project_id: Number(form.project) }
  return { id: token.id, ...changed, ...quotaBefore, ...project }
}

/** The token as its form was opened with it, without the amount, which is booked as a difference. */
export function seenOf(token: Token): NonNullable<SeenRow> {
  const { remain_quota: _amount, ...seen } = bodyOf(toForm(token))
  return {
    ...seen,
    fallback_models: seen.fallback_models ?? null,
    allow_ips: seen.allow_ips ?? '',
    limits: hasLimit(seen.limits) ? definedOf(seen.limits) : null,
  }
}

const definedOf = ({ rpm, tpm, concurrency }: Limits): Record<string, number> =>
  Object.fromEntries(Object.entries({ rpm, tpm, concurrency }).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])))

function bodyOf(form: TokenForm): Required<Omit<NewToken, 'project_id'>> {
  return {
    name: form.name.trim(),
    remain_quota: wholeNumber(form.quota, -Infinity) ?? 0,
    expired_time: expiryOf(form.expiry) ?? NEVER,
    unlimited_quota: form.isUnlimited,
    model_limits_enabled: form.isLimited,
    model_limits: form.models.join(','),
    allow_ips: form.ips
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n'),
    group: form.group,
    cross_group_retry: form.crossesGroups && form.group === AUTO_GROUP,
    fallback_models: form.hasFallbacks ? form.fallbacks.join(',') : null,
    telemetry_content: form.tracesContent,
    receipt_hashes: form.hashesBodies,
    limits: limitsOf(form),
  }
}

function limitsOf(form: TokenForm): Limits | null {
  const limits: Limits = Object.fromEntries(
    LIMIT_FIELDS.flatMap((field) => {
      const count = wholeNumber(form[field], 1)
      return count === undefined ? [] : [[field, count]]
    }),
  )
  return hasLimit(limits) ? limits : null
}

const countText = (count: number | undefined): string => (count === undefined ? '' : String(count))

function wholeNumber(text: string, least: number): number | undefined {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** An entry is readable exactly when it admits its own address. */
function isAddressOrRange(entry: string): boolean {
  return isIpAllowed(entry.split('/')[0] ?? '', [entry])
}

const SUFFIX_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function suffix(random: () => number): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS[Math.floor(random() * SUFFIX_LETTERS.length)] ?? 'A').join('')
}
