import { isInRanges, parseStatusRanges, type StatusRange } from '@tollgate/contracts/options/status-ranges'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'

export type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'

export type JudgePolicy = {
  readonly retries_left: number
  /** The token is bound to this channel, so no other may be tried. */
  readonly is_pinned: boolean
  readonly channel_type: number
  /** Statuses that are retried on another channel; absent: the option's default. */
  readonly retry_statuses?: readonly StatusRange[]
  /** The channel's own mapping of upstream statuses, such as {"400":"500"}. */
  readonly status_code_mapping: Readonly<Record<string, string>>
  readonly auto_disable: {
    readonly is_enabled: boolean
    /** The channel's own switch. */
    readonly auto_ban: boolean
    readonly keywords: readonly string[]
    /** Statuses that alone prove the key invalid; absent: 401. */
    readonly statuses?: readonly StatusRange[]
  }
  /** True if the client's request contains this text, in any case: then the vendor may only quote it. Absent: no. */
  readonly isQuoted?: (text: string) => boolean
  /** After the first byte reached the client, nothing is retried. */
  readonly has_sent_bytes: boolean
}

export type ChannelFault = 'key' | 'money'

export type Judgement = {
  readonly retry: 'no' | 'other-channel'
  /** The client's status if this is the last attempt. */
  readonly status: number
  /** The part that the vendor refused instead of the request: the channel's key, or its account, which has no money. */
  readonly fault: ChannelFault | undefined
  /** Why the channel should be disabled; undefined if it should not. */
  readonly disable_reason: string | undefined
  /** The fault is one of this request only: the account has money, but not enough for it. */
  readonly is_passing?: true
}

const RETRY_STATUSES = parseStatusRanges('100-199,300-399,401-407,409-499,500-503,505-523,525-599') ?? []
const DISABLE_STATUSES: readonly StatusRange[] = [[401, 401]]
const ANTHROPIC = 14
const GEMINI = 24
const OWN_STATUS = { limited: 429, timeout: 504, network: 502, malformed: 502, aborted: 499, refused: 502 } as const satisfies Record<
  UpstreamFailure['kind'],
  number
>
/** Upper case: reasons of Google's `ErrorInfo`: https://cloud.google.com/php/docs/reference/common-protos/latest/Api.ErrorReason */
const DEAD_KEY_CODES = new Set([
  'invalid_api_key',
  'account_deactivated',
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'CONSUMER_INVALID',
  'CONSUMER_SUSPENDED',
  'SERVICE_DISABLED',
])
const AUTHENTICATION_ERROR = 'authentication_error'
const DEAD_KEY_TYPES = new Set([AUTHENTICATION_ERROR, 'permission_error', 'forbidden'])
/** Codes and types. */
const MONEY_CODES = new Set([
  'BILLING_DISABLED',
  'billing_not_active',
  'billing_error',
  'billing_hard_limit_reached',
  'insufficient_quota',
  'insufficient_user_quota',
])

/**
 * Codes of single vendors for an account without money, which they send with 400 and 429, by channel type. Ali:
 * https://help.aliyun.com/zh/model-studio/error-code · Zhipu: https://docs.bigmodel.cn/cn/faq/api-code
 */
const MONEY_CODES_OF: Readonly<Record<number, ReadonlySet<string>>> = { 17: new Set(['Arrearage']), 26: new Set(['1113']) }

/**
 * Decides for one failed attempt whether another channel is tried, which status the client gets and whether the channel is disabled. A
 * refusal of the channel's own key or account never looks like the client's.
 * Retry and status follow the mapped status; disabling follows the status that upstream sent.
 */
export function judge(failure: UpstreamFailure, policy: JudgePolicy): Judgement {
  const upstream = failure.status ?? OWN_STATUS[failure.kind]
  const mapped = mapStatus(upstream, policy.status_code_mapping)
  const is_passing = hasMoneyLeft(failure)
  const disable_reason = is_passing ? undefined : findDisableReason(failure, upstream, policy)
  const certain = findChannelFault(failure, upstream, policy)
  const fault = certain ?? (disable_reason === undefined ? undefined : faultOfText(failure.message))
  return {
    retry: mayRetry(failure, mapped, { ...policy, hasFault: fault !== undefined }) ? 'other-channel' : 'no',
    // A 401 or 429 of the channel's own account would look like the client's.
    status: fault !== undefined && mapped === upstream ? 502 : clientStatus(mapped),
    fault,
    disable_reason,
    ...(is_passing ? { is_passing } : {}),
  }
}

/** Applies the channel's mapping once. 200 is never mapped, and targets that are not HTTP statuses are ignored. */
export function mapStatus(status: number, mapping: Readonly<Record<string, string>>): number {
  const typed = Object.hasOwn(mapping, String(status)) ? mapping[String(status)] : undefined
  if (status === 200 || typed === undefined) return status
  const mapped = Number(typed)
  return Number.isInteger(mapped) && mapped >= 100 && mapped <= 599 ? mapped : status
}

function mayRetry(failure: UpstreamFailure, status: number, policy: JudgePolicy & { readonly hasFault: boolean }): boolean {
  if (policy.has_sent_bytes || policy.is_pinned || policy.retries_left <= 0) return false
  if (failure.kind === 'aborted') return false
  if (policy.hasFault) return true
  if (status >= 200 && status < 300) return false
  // Our own timeout: upstream sent no status that could forbid a retry.
  if (failure.kind === 'timeout' && failure.status === undefined) return true
  if (status === 400 && policy.channel_type === ANTHROPIC) return true
  return isInRanges(status, policy.retry_statuses ?? RETRY_STATUSES)
}

/** A failed request never gets a success status. */
function clientStatus(status: number): number {
  return status >= 400 ? status : 502
}

/** Evidence that is certain: what a client sends cannot cause it. */
function findChannelFault(
  failure: UpstreamFailure,
  upstream: number,
  policy: Pick<JudgePolicy, 'channel_type' | 'auto_disable' | 'isQuoted'>,
): ChannelFault | undefined {
  const { kind, code = '', type = '', message } = failure
  const { channel_type } = policy
  if (kind !== 'refused' && kind !== 'limited') return undefined
  if (upstream === 402 || MONEY_CODES.has(code) || MONEY_CODES.has(type) || MONEY_CODES_OF[channel_type]?.has(code) === true) return 'money'
  if (hasKeyword(failure, upstream, policy)) return faultOfText(message)
  return upstream === 401 || DEAD_KEY_CODES.has(code) || type === AUTHENTICATION_ERROR ? 'key' : undefined
}

/** Statuses that speak of the account; the texts of all others may quote the request, so a keyword counts only at their beginning. */
const ACCOUNT_ERRORS = new Set([401, 402, 429])
/** Statuses that speak of a parameter, if the vendor names one: then their texts say nothing of the account. */
const PARAMETER_ERRORS = new Set([400, 404, 413, 422])

/** Why the channel should be disabled: also for evidence that a client could have caused, where the operator has enabled that. */
function findDisableReason(failure: UpstreamFailure, upstream: number, policy: JudgePolicy): string | undefined {
  const { auto_disable, channel_type } = policy
  const { kind, code = '', type = '', message } = failure
  if (!auto_disable.is_enabled || !auto_disable.auto_ban) return undefined
  if (kind !== 'refused' && kind !== 'limited') return undefined
  const isDead =
    isInRanges(upstream, auto_disable.statuses ?? DISABLE_STATUSES) ||
    (upstream === 403 && channel_type === GEMINI) ||
    [code, type].some((name) => MONEY_CODES.has(name) || DEAD_KEY_CODES.has(name) || DEAD_KEY_TYPES.has(name)) ||
    hasKeyword(failure, upstream, policy)
  return isDead ? message : undefined
}

function faultOfText(message: string): ChannelFault {
  return MONEY_WORDS.test(message) ? 'money' : 'key'
}

const MONEY_WORDS = /credit|quota|balance|billing|payment|arrear|余额|欠费/i

/** True if the vendor's own words have one of the operator's keywords. */
function hasKeyword(
  { message, param }: UpstreamFailure,
  upstream: number,
  { auto_disable: { keywords }, isQuoted }: Pick<JudgePolicy, 'auto_disable' | 'isQuoted'>,
): boolean {
  if (param !== undefined && PARAMETER_ERRORS.has(upstream)) return false
  const text = message.toLowerCase()
  return keywords.some((keyword) => {
    const wanted = keyword.trim().toLowerCase()
    if (wanted === '' || !(ACCOUNT_ERRORS.has(upstream) ? text.includes(wanted) : text.startsWith(wanted))) return false
    return isQuoted?.(wanted) !== true
  })
}

/** Gateways of the same kind refuse a request that costs more than is left, and name both amounts. */
const NEEDS_MORE = /(?:quota|balance|额度|余额)[^\d]{0,20}(\d+(?:\.\d+)?)[^\d]{1,40}(?:need|require|需要)[^\d]{0,40}(\d+(?:\.\d+)?)/i

function hasMoneyLeft({ message }: UpstreamFailure): boolean {
  const [, left = '0', needed = '0'] = NEEDS_MORE.exec(message) ?? []
  return Number(left) > 0 && Number(needed) > Number(left)
}
