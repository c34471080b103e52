import type { Redis } from 'ioredis'
import type { Limits } from '@tollgate/contracts/limits'
import { keys } from './keys.ts'
import { limitArguments, readLeft, toLimitedBy } from './limit-state.ts'
import type {
  Ledger,
  LimitState,
  OwnLimits,
  RequestWindow,
  ReserveInput,
  ReserveResult,
  SettleInput,
  SettleResult,
} from './ledger-types.ts'
import { callScript, numberIn, type ScriptOutcome } from './scripts.ts'

export type LedgerOptions = {
  /** Events a shard's stream may hold before reserve answers `backlog`. */
  readonly backlogCap?: number
}

export const DEFAULT_BACKLOG_CAP = 200_000

/** The two calls of a request. Both are one EVALSHA; expected outcomes, a Redis that is away included, are return values. */
export function createLedger(redis: Redis, { backlogCap = DEFAULT_BACKLOG_CAP }: LedgerOptions = {}): Ledger {
  return {
    reserve: (input) =>
      callScript(redis, 'reserve', reserveKeys(input), reserveArguments(input, backlogCap)).then((outcome) =>
        toReserveResult(outcome, input.limits),
      ),
    settle: (input) => callScript(redis, 'settle', settleKeys(input), settleArguments(input)).then(toSettleResult),
  }
}

function reserveKeys({ shard, user_id, token_id, limits }: ReserveInput): string[] {
  return [
    keys.gate(shard),
    keys.wallet(shard, user_id),
    keys.token(shard, token_id),
    keys.holds(shard),
    keys.holdTimes(shard),
    keys.drafts(shard),
    keys.usage(shard),
    keys.userWindow(shard, user_id, 'total'),
    keys.userWindow(shard, user_id, 'success'),
    ...(limits === undefined ? [] : ownLimitKeys(shard, user_id, token_id)),
  ]
}

function ownLimitKeys(shard: number, userId: number, tokenId: number): string[] {
  return [
    keys.minute(shard, 'user', userId),
    keys.slots(shard, 'user', userId),
    keys.minute(shard, 'token', tokenId),
    keys.slots(shard, 'token', tokenId),
  ]
}

function reserveArguments(input: ReserveInput, backlogCap: number): (string | number)[] {
  const total = windowNamed(input.windows, 'total')
  const success = windowNamed(input.windows, 'success')
  return [
    input.request_id,
    input.user_id,
    input.token_id,
    input.user_auth,
    input.token_auth,
    input.owner,
    input.want,
    input.least,
    Math.floor(input.not_after),
    backlogCap,
    total?.max ?? -1,
    total?.window_ms ?? 0,
    success?.max ?? -1,
    success?.window_ms ?? 0,
    input.draft,
    ...(input.limits === undefined
      ? []
      : [input.limits.tokens, ...limitArguments(input.limits.user), ...limitArguments(input.limits.token)]),
  ]
}

function windowNamed(windows: readonly RequestWindow[], name: RequestWindow['name']): RequestWindow | undefined {
  return windows.find((window) => window.name === name)
}

function toReserveResult(outcome: ScriptOutcome, limits: OwnLimits | undefined): ReserveResult {
  if (outcome.kind !== 'answered') return outcome
  const { reply } = outcome
  const kind = reply[0]
  switch (kind) {
    case 'held':
      return {
        kind,
        wallet_held: numberIn(reply, 1),
        token_held: numberIn(reply, 2),
        epoch: numberIn(reply, 3),
        spendable: numberIn(reply, 4),
        // A hold that was there before answers without them.
        ...(limits === undefined || reply.length <= LEFT_AT.held ? {} : { limits: leftOf(reply, LEFT_AT.held, limits) }),
      }
    case 'user-short':
    case 'token-short':
      return { kind, spendable: numberIn(reply, 1) }
    case 'limited':
      return toLimited(reply, limits)
    case 'cold':
    case 'stale':
    case 'backlog':
    case 'too-late':
    case 'duplicate':
      return { kind }
    default:
      throw new Error(`reserve answered ${String(kind)}`)
  }
}

const LEFT_AT = { held: 5, limited: 3 } as const
const LEFT_SIZE = 4

/** User first, then token, as the script answers. */
function leftOf(reply: readonly unknown[], at: number, { user, token }: OwnLimits): LimitState[] {
  return [readLeft(reply, at, user), readLeft(reply, at + LEFT_SIZE, token)]
}

const OVER_LIMIT = /^(user|token)-(requests|tokens|concurrency)$/

function toLimited(reply: readonly unknown[], limits: OwnLimits | undefined): ReserveResult {
  const retry_after_ms = numberIn(reply, 2)
  const [, of, by] = OVER_LIMIT.exec(String(reply[1])) ?? []
  if (of === undefined || by === undefined || limits === undefined) {
    return { kind: 'limited', window: reply[1] === 'success' ? 'success' : 'total', retry_after_ms }
  }
  return {
    kind: 'over-limit',
    of: of === 'user' ? 'user' : 'token',
    by: toLimitedBy(by),
    retry_after_ms,
    limits: leftOf(reply, LEFT_AT.limited, limits),
  }
}

function settleKeys({ shard, user_id, token_id, limits }: SettleInput): string[] {
  const own = limits === undefined ? [] : ownLimitKeys(shard, user_id, token_id)
  return [...endKeys(shard, user_id, token_id), keys.userWindow(shard, user_id, 'success'), ...own]
}

/** Keys of the scripts that end a request (settle, reap), in their order. */
export function endKeys(shard: number, userId: number, tokenId: number): string[] {
  return [
    keys.gate(shard),
    keys.wallet(shard, userId),
    keys.token(shard, tokenId),
    keys.holds(shard),
    keys.holdTimes(shard),
    keys.drafts(shard),
    keys.progress(shard),
    keys.tombstones(shard),
    keys.usage(shard),
  ]
}

function settleArguments(input: SettleInput): (string | number)[] {
  return [
    input.request_id,
    input.user_id,
    input.token_id,
    input.charge,
    input.wallet_held,
    input.token_held,
    input.epoch,
    input.success_window_ms,
    input.body,
    ...(input.limits === undefined
      ? []
      : [input.limits.used, takenFrom(input.limits.user, input.limits), takenFrom(input.limits.token, input.limits)]),
  ]
}

/** What reserve counted in this minute: the estimate, or the whole limit where that is smaller; 0: it has no such limit. */
function takenFrom({ tpm }: Limits, { tokens }: OwnLimits): number {
  return tpm === undefined ? 0 : Math.min(tokens, tpm)
}

function toSettleResult(outcome: ScriptOutcome): SettleResult {
  if (outcome.kind !== 'answered') return outcome
  const kind = outcome.reply[0]
  switch (kind) {
    case 'settled':
    case 'late':
    case 'orphan':
      return { kind, n: numberIn(outcome.reply, 1), epoch: numberIn(outcome.reply, 2) }
    case 'already':
    case 'cold':
      return { kind }
    default:
      throw new Error(`settle answered ${String(kind)}`)
  }
}
