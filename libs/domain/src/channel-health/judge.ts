import { isInRanges, parseStatusRanges, type StatusRange } from '@tollgate/contracts/options/status-ranges'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'

export type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'

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
  /** After the first byte reached the client, nothing is retried. */
  readonly has_sent_bytes: boolean
}

export type Judgement = {
  readonly retry: 'no' | 'other-channel'
  /** The client's status if this is the last attempt. */
  readonly status: number
  /** Why the channel should be disabled; undefined if it should not. */
  readonly disable_reason: string | undefined
}

const RETRY_STATUSES = parseStatusRanges('100-199,300-399,401-407,409-499,500-503,505-523,525-599') ?? []
const DISABLE_STATUSES: readonly StatusRange[] = [[401, 401]]
const ANTHROPIC = 14
const GEMINI = 24
const OWN_STATUS = { limited: 429, timeout: 504, network: 502, malformed: 502, aborted: 499, refused: 502 } as const satisfies Record<
  UpstreamFailure['kind'],
  number
>
const DEAD_KEY_CODES = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const DEAD_KEY_TYPES = new Set(['insufficient_quota', 'insufficient_user_quota', 'authentication_error', 'permission_error', 'forbidden'])

/**
 * Decides for one failed attempt whether another channel is tried, which status the client gets and whether the channel is disabled.
 * Retry and status follow the mapped status; disabling follows the status that upstream sent.
 */
export function judge(failure: UpstreamFailure, policy: JudgePolicy): Judgement {
  const upstream = failure.status ?? OWN_STATUS[failure.kind]
  const mapped = mapStatus(upstream, policy.status_code_mapping)
  return {
    retry: mayRetry(failure, mapped, policy) ? 'other-channel' : 'no',
    status: clientStatus(mapped),
    disable_reason: disableReason(failure, upstream, policy),
  }
}

/** Applies the channel's mapping once. 200 is never mapped, and targets that are not HTTP statuses are ignored. */
export function mapStatus(status: number, mapping: Readonly<Record<string, string>>): number {
  const typed = Object.hasOwn(mapping, String(status)) ? mapping[String(status)] : undefined
  if (status === 200 || typed === undefined) return status
  const mapped = Number(typed)
  return Number.isInteger(mapped) && mapped >= 100 && mapped <= 599 ? mapped : status
}

function mayRetry(failure: UpstreamFailure, status: number, policy: JudgePolicy): boolean {
  if (policy.has_sent_bytes || policy.is_pinned || policy.retries_left <= 0) return false
  if (failure.kind === 'aborted') return false
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

function disableReason(failure: UpstreamFailure, upstream: number, { auto_disable, channel_type }: JudgePolicy): string | undefined {
  if (!auto_disable.is_enabled || !auto_disable.auto_ban) return undefined
  if (failure.kind !== 'refused' && failure.kind !== 'limited') return undefined
  const isDead =
    isInRanges(upstream, auto_disable.statuses ?? DISABLE_STATUSES) ||
    (upstream === 403 && channel_type === GEMINI) ||
    (failure.code !== undefined && DEAD_KEY_CODES.has(failure.code)) ||
    (failure.type !== undefined && DEAD_KEY_TYPES.has(failure.type)) ||
    hasKeyword(failure.message, auto_disable.keywords)
  return isDead ? failure.message : undefined
}

function hasKeyword(message: string, keywords: readonly string[]): boolean {
  const text = message.toLowerCase()
  return keywords.some((keyword) => keyword.trim() !== '' && text.includes(keyword.trim().toLowerCase()))
}
