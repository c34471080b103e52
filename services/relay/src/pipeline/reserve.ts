import { AppError } from '@tollgate/contracts/app-error'
import type { UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import { formatShort } from '@tollgate/domain/pricing/format'
import { settleBudgets } from '@tollgate/ledger/client/budget-args'
import type { Heartbeat, Ledger, LimitLeft, ReserveInput, ReserveResult, SettleQueue } from '@tollgate/ledger/client/types'
import type { Hold } from '../request/hold.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Caller } from '../request/caller.ts'
import { countedBudgets, explainBudgets, overBudget } from '../limits/budgets.ts'
import { announceLimits, overLimit, ownLimits } from '../limits/request-limits.ts'
import type { RequestContext } from '../request/context.ts'
import type { Admission } from '../request/admission.ts'
import type { CostEstimate } from '../request/cost-estimate.ts'

export type ReserveStepInput = {
  readonly caller: Caller
  readonly admission: Admission
  readonly costEstimate: CostEstimate
  readonly pendingEvent: string
}
type Deps = {
  readonly ledger: Ledger
  readonly settleQueue: SettleQueue
  readonly heartbeat: Heartbeat
  readonly config: RuntimeConfig
}

/** Takes a slot of the settle queue before anything is held, so that the settlement always finds one. Throws when that is not safe. */
export function takeReserveSlot(context: RequestContext, shard: number, { heartbeat, settleQueue }: Deps): void {
  context.clock.enter('reserve')
  if (!heartbeat.isAlive(shard)) throw new AppError('ledger.unavailable')
  if (!settleQueue.takeSlot()) throw new AppError('ledger.backlog')
}

/** The first of the two script calls of a request. pipeline/open-request.ts retries `cold`, `too-late` and `stale`. */
export function reserve(input: ReserveInput, { ledger }: Deps): Promise<ReserveResult> {
  return ledger.reserve(input)
}

export function toReserveInput(
  context: RequestContext,
  { caller: { record }, admission, costEstimate, pendingEvent }: ReserveStepInput,
  { heartbeat }: Deps,
  not_before = 0,
): ReserveInput {
  const limits = ownLimits(admission.limits, costEstimate.tokens)
  const { budgets } = admission
  return {
    shard: record.shard,
    request_id: context.id,
    user_id: record.user_id,
    token_id: record.token_id,
    user_auth: record.user_auth,
    token_auth: record.token_auth,
    relay_id: heartbeat.relay_id,
    want: costEstimate.want,
    least: costEstimate.least,
    not_after: heartbeat.notAfter(record.shard),
    windows: admission.windows,
    ...(limits === undefined ? {} : { limits }),
    ...(budgets.length === 0 ? {} : { budgets: countedBudgets(budgets, secondAt(Math.max(heartbeat.redisNow(record.shard), not_before))) }),
    pendingEvent,
  }
}

const secondAt = (ms: UnixMillis): UnixSeconds => Math.floor(ms / 1000)

export function toHold({ taken, ...result }: HeldResult, { budgets: counted }: ReserveInput, { windows, budgets }: Admission): Hold {
  const success_window_ms = windows.find(({ name }) => name === 'success')?.window_ms ?? 0
  if (counted === undefined) return { ...result, success_window_ms }
  const explained = taken === undefined ? {} : { budgets: explainBudgets(budgets, counted, taken) }
  return { ...result, success_window_ms, ...explained, budget_windows: settleBudgets(counted) }
}

type HeldResult = Extract<ReserveResult, { kind: 'held' }>
type NotHeld = Exclude<ReserveResult, { kind: 'held' }>
type Refused = ReserveStepInput & { readonly reserveInput: ReserveInput }

/** Throws the error of a request that could not reserve. The heartbeat resolves a reserve call with an unknown result. */
export function throwNotHeld(context: RequestContext, result: NotHeld, input: Refused, { heartbeat, config }: Deps): never {
  if (result.kind === 'unavailable') heartbeat.noteUnconfirmed({ shard: input.caller.record.shard, request_id: context.id })
  if (result.kind === 'over-limit') announceLimits(context, result.limits)
  if (result.kind === 'limited') announceLimits(context, [{ requests: toWindowState(result, input.admission) }])
  if (result.kind === 'budget-short') throw toBudgetError(context, result, input, { heartbeat, config })
  throw toError(result, input, config)
}

function toBudgetError(
  context: RequestContext,
  short: Extract<ReserveResult, { kind: 'budget-short' }>,
  { admission, costEstimate, reserveInput, caller }: Refused,
  { heartbeat, config }: Pick<Deps, 'heartbeat' | 'config'>,
): AppError {
  const { budgets: windows = [] } = reserveInput
  return overBudget(
    context,
    { rules: admission.budgets, windows, short, least: costEstimate.least, now: heartbeat.redisNow(caller.record.shard) },
    config.settings,
  )
}

function toError(
  result: Exclude<NotHeld, { kind: 'budget-short' }>,
  { admission, costEstimate }: ReserveStepInput,
  { settings }: RuntimeConfig,
): AppError {
  switch (result.kind) {
    case 'user-short':
    case 'token-short':
      return toShortError(result, costEstimate, settings)
    case 'limited':
      return toWindowError(result, admission)
    case 'over-limit':
      return overLimit({ ...result, limits: admission.limits.own?.[result.of] ?? {} })
    case 'cold':
    case 'stale':
      return new AppError('ledger.cold')
    case 'backlog':
      return new AppError('ledger.backlog')
    case 'closed':
      return new AppError('ledger.closed')
    case 'too-late':
    case 'window-over':
      return new AppError('ledger.unavailable')
    case 'unavailable':
      return new AppError('ledger.unavailable', {}, { cause: result.cause })
    case 'duplicate':
      return new AppError('internal')
  }
}

type Short = Extract<ReserveResult, { kind: 'user-short' | 'token-short' }>
type Shown = Pick<RuntimeConfig['settings'], 'display_in_currency' | 'quota_per_unit'>

/** How long an answer usually takes. */
const HELD_RETRY_MS = 2000

/**
 * The error of a caller that has less than the least hold of its request. What running requests hold may be enough when they have ended;
 * a wallet or token without holds stays short.
 */
export function toShortError({ kind, spendable, held, open }: Short, { least }: CostEstimate, shown: Shown): AppError {
  const isUser = kind === 'user-short'
  const [have, need] = [formatShort(Math.max(0, spendable), shown, 'down'), formatShort(least, shown, 'up')]
  if (held > 0 && spendable + held >= least) {
    const params = { have, need, held: formatShort(held, shown, 'down'), count: open, retry_after_ms: HELD_RETRY_MS }
    if (open > 0) return new AppError(isUser ? 'quota.user-held' : 'quota.token-held', params)
    return new AppError(isUser ? 'quota.user-held-some' : 'quota.token-held-some', params)
  }
  if (spendable <= 0) return new AppError(isUser ? 'quota.user-empty' : 'token.empty')
  return new AppError(isUser ? 'quota.user-short' : 'quota.token-short', { have, need })
}

function toWindowState({ window: name, retry_after_ms }: Extract<ReserveResult, { kind: 'limited' }>, { windows }: Admission): LimitLeft {
  return { limit: windows.find((window) => window.name === name)?.max ?? 0, remaining: 0, reset_ms: retry_after_ms }
}

function toWindowError(result: Extract<ReserveResult, { kind: 'limited' }>, { windows }: Admission): AppError {
  const window = windows.find(({ name }) => name === result.window)
  const params = { minutes: (window?.window_ms ?? 0) / 60_000, count: window?.max ?? 0, retry_after_ms: result.retry_after_ms }
  return new AppError(result.window === 'success' ? 'rate.requests' : 'rate.total', params)
}
