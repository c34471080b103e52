import { AppError } from '@tollgate/contracts/app-error'
import { formatQuota } from '@tollgate/domain/pricing/format'
import type { Heartbeat, Ledger, LimitState, ReserveInput, ReserveResult, SettleQueue } from '@tollgate/ledger/client/types'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import { releasePermit, traceparentIn, type RequestContext } from '../request/context.ts'
import type { Admission } from './admit.ts'
import type { Caller } from './identify.ts'
import { announceLimits, overLimit, ownLimits } from '../limits/request-limits.ts'
import type { CostEstimate } from './quote.ts'

/** Money taken from the wallet, and from the token if that is limited, until the request is settled. */
export type Hold = {
  readonly wallet_held: number
  readonly token_held: number
  readonly epoch: number
  readonly spendable: number
  readonly success_window_ms: number
  /** How much of the limits of user and token is left. */
  readonly limits?: readonly LimitState[]
}

type Input = { readonly caller: Caller; readonly admission: Admission; readonly costEstimate: CostEstimate; readonly pendingEvent: string }
type Deps = {
  readonly ledger: Ledger
  readonly settleQueue: SettleQueue
  readonly heartbeat: Heartbeat
  readonly controlPlane: ControlPlane
  readonly config: RuntimeConfig
}

/**
 * The first of the two script calls. Takes a slot of the settle queue with it, so that the settlement cannot find it full.
 * 'stale': the caller was identified from an older record; identify once more.
 */
export async function reserve(context: RequestContext, input: Input, deps: Deps): Promise<Hold | 'stale'> {
  context.clock.enter('reserve')
  if (!deps.heartbeat.isAlive()) throw new AppError('ledger.unavailable')
  if (!deps.settleQueue.takeSlot()) throw new AppError('ledger.backlog')
  try {
    const asked = toReserveInput(context, input, deps)
    let result = await deps.ledger.reserve(asked)
    releasePermit(context)
    if (result.kind === 'cold') result = await reserveWarm(context, asked, result, deps)
    if (result.kind === 'too-late') result = await reserveAgain(context, input, deps)
    if (result.kind === 'held') return { ...result, success_window_ms: successWindow(input.admission) }
    if (result.kind === 'unavailable') deps.heartbeat.noteUnconfirmed({ shard: input.caller.record.shard, request_id: context.id })
    if (result.kind === 'over-limit') announceLimits(context, result.limits)
    if (result.kind !== 'stale') throw toRefusal(result, input, deps.config)
  } catch (error) {
    deps.settleQueue.freeSlot()
    throw error
  }
  deps.settleQueue.freeSlot()
  return 'stale'
}

/**
 * `too-late` took nothing and says only that the last beat is old: Redis was slow for a moment and answers again. One fresh beat
 * is enough to go on.
 */
async function reserveAgain(context: RequestContext, input: Input, deps: Deps): Promise<ReserveResult> {
  await deps.heartbeat.refresh()
  const asked = toReserveInput(context, input, deps)
  return await reserveWarm(context, asked, await deps.ledger.reserve(asked), deps)
}

const LOADS = 2

/** A cold account is loaded by the control plane, once for all who wait for it; nobody to ask means 503 at once. */
async function reserveWarm({ incoming }: RequestContext, input: ReserveInput, first: ReserveResult, deps: Deps): Promise<ReserveResult> {
  const { ledger, controlPlane } = deps
  let result = first
  for (let loads = 0; result.kind === 'cold' && loads < LOADS; loads += 1) {
    await controlPlane.load({ user_id: input.user_id, token_id: input.token_id }, traceparentIn(incoming)).catch((cause: unknown) => {
      throw new AppError('ledger.cold', {}, { cause })
    })
    result = await ledger.reserve(input)
  }
  return result
}

function toReserveInput(
  context: RequestContext,
  { caller: { record }, admission, costEstimate, pendingEvent }: Input,
  { heartbeat }: Deps,
): ReserveInput {
  const limits = ownLimits(admission.limits, costEstimate.tokens)
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
    not_after: heartbeat.notAfter(),
    windows: admission.windows,
    ...(limits === undefined ? {} : { limits }),
    pendingEvent,
  }
}

function successWindow({ windows }: Admission): number {
  return windows.find(({ name }) => name === 'success')?.window_ms ?? 0
}

type Refused = Exclude<ReserveResult, { kind: 'held' }>

function toRefusal(result: Refused, { caller, admission, costEstimate }: Input, { settings }: RuntimeConfig): AppError {
  const show = (quota: number) => formatQuota(quota, settings)
  switch (result.kind) {
    case 'user-short':
      if (result.spendable <= 0) return new AppError('quota.user-empty')
      return new AppError('quota.user-short', { have: show(result.spendable), need: show(costEstimate.least) })
    case 'token-short':
      if (result.spendable <= 0) return new AppError('token.empty', { masked: caller.masked, remain: result.spendable })
      return new AppError('quota.token-short', { have: show(result.spendable), need: show(costEstimate.least) })
    case 'limited':
      return toLimited(result, admission)
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
      return new AppError('ledger.unavailable')
    case 'unavailable':
      return new AppError('ledger.unavailable', {}, { cause: result.cause })
    case 'duplicate':
      return new AppError('internal')
  }
}

function toLimited(result: Extract<ReserveResult, { kind: 'limited' }>, { windows }: Admission): AppError {
  const window = windows.find(({ name }) => name === result.window)
  const params = { minutes: (window?.window_ms ?? 0) / 60_000, count: window?.max ?? 0, retry_after_ms: result.retry_after_ms }
  return new AppError(result.window === 'success' ? 'rate.requests' : 'rate.total', params)
}
