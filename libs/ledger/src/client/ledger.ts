import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import { readLeft, toLimitedBy } from '../limits/limit-state.ts'
import { readTaken, type BudgetTaken, type CountedBudget } from './budget-args.ts'
import type { Ledger, LimitState, OwnLimits, ReserveInput, ReserveResult, SettleResult } from './types.ts'
import { reserveArguments, reserveKeys, settleArguments, settleKeys } from './args.ts'
import { numberIn, type ScriptOutcome } from '../scripts/scripts.ts'
import { createBatches } from './batches.ts'

export type LedgerOptions = {
  /** Events a shard's stream may hold before reserve answers `backlog`. */
  readonly backlogCap?: number
}

export const DEFAULT_BACKLOG_CAP = 200_000

/** The two ledger calls of a request. Expected outcomes, including a Redis that does not answer, are return values. */
export function createLedger(servers: LedgerServers, { backlogCap = DEFAULT_BACKLOG_CAP }: LedgerOptions = {}): Ledger {
  const batches = createBatches(servers)
  return {
    reserve: (input) =>
      batches
        .call(input.shard, 'reserve', reserveKeys(input), reserveArguments(input, backlogCap))
        .then((outcome) => toReserveResult(outcome, input)),
    settle: (input) => batches.call(input.shard, 'settle', settleKeys(input), settleArguments(input)).then(toSettleResult),
  }
}

function toReserveResult(outcome: ScriptOutcome, { limits, budgets }: Pick<ReserveInput, 'limits' | 'budgets'>): ReserveResult {
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
        // A repeated reserve of an existing hold answers without them.
        ...(limits === undefined || reply.length <= LEFT_AT.held ? {} : { limits: leftOf(reply, LEFT_AT.held, limits) }),
        ...(budgets === undefined || reply.length <= LEFT_AT.held ? {} : { taken: takenOf(reply, limits, budgets) }),
      }
    case 'user-short':
    case 'token-short':
      return { kind, spendable: numberIn(reply, 1), held: numberIn(reply, 2), open: numberIn(reply, 3) }
    case 'budget-short':
      return { kind, index: numberIn(reply, 1) - 1, spent: numberIn(reply, 2), held: numberIn(reply, 3) }
    case 'limited':
      return toLimited(reply, limits)
    case 'cold':
    case 'stale':
    case 'backlog':
    case 'too-late':
    case 'duplicate':
    case 'window-over':
      return { kind }
    default:
      throw new Error(`reserve answered ${String(kind)}`)
  }
}

const LEFT_AT = { held: 5, limited: 3 } as const
const LEFT_SIZE = 4

/** First the user's, then the token's, in the order of the script's answer. */
function leftOf(reply: readonly unknown[], at: number, { user, token }: OwnLimits): LimitState[] {
  return [readLeft(reply, at, user), readLeft(reply, at + LEFT_SIZE, token)]
}

function takenOf(reply: readonly unknown[], limits: OwnLimits | undefined, budgets: readonly CountedBudget[]): BudgetTaken[] {
  const at = LEFT_AT.held + (limits === undefined ? 0 : 2 * LEFT_SIZE)
  return readTaken(reply, at, budgets.length)
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
