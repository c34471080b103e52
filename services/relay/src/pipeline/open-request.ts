import { AppError } from '@tollgate/contracts/app-error'
import type { ReserveInput } from '@tollgate/ledger/client/types'
import type { Lease } from '@tollgate/ledger/limits/shared-limits'
import type { RelayDeps } from '../deps.ts'
import { FRESH_MS, findCaller } from '../identity/caller.ts'
import { announceBudgets, countOnly } from '../limits/budgets.ts'
import { announceLimits, NO_SHARED_LIMITS, refuseTooLong, takeSharedLimits } from '../limits/request-limits.ts'
import type { Admission, ModelChain } from '../request/admission.ts'
import { traceparentOf, type RequestContext } from '../request/context.ts'
import type { PricedGroup } from '../request/cost-estimate.ts'
import { encodeEventOpening } from '../request/event-opening.ts'
import type { Hold } from '../request/hold.ts'
import type { Admitted, Held, Parsed } from '../request/phases.ts'
import { startProgress } from '../request/progress.ts'
import { encodePendingEvent } from '../request/usage-event.ts'
import { admit } from './admit.ts'
import { maxHoldEstimate, quote, quoteNextGroups, withoutUnpriced } from './quote.ts'
import { reserve, takeReserveSlot, throwNotHeld, toHold, toReserveInput, type ReserveStepInput } from './reserve.ts'

type Options = {
  /** The request is sent to channels until one answers, so it can move on to another group. */
  readonly crosses_groups?: boolean
  /** Other models may answer it. */
  readonly chain?: ModelChain | undefined
  /** The vendor has worked already: what it used is charged whatever the limits say. */
  readonly is_owed?: boolean
}

const NO_GROUPS: readonly PricedGroup[] = []
const MAX_STALE_RESERVES = 3
const MAX_LOADS = 2

/**
 * admit, quote and reserve. Identifies the caller again and repeats them when the cached identity refuses the request, or when the
 * ledger has a newer version of the account.
 */
export async function openRequest(first: Parsed, options: Options, deps: RelayDeps): Promise<Held> {
  const { context, request } = first
  const identifyAgain = async (): Promise<Parsed> => ({ context, request, caller: await findCaller(context, deps) })
  let parsed = first
  let staleReserves = 0
  for (;;) {
    const { credential } = parsed.caller
    const admitted = admitUnlessOutdated(parsed, options, deps)
    if (admitted === 'outdated') {
      deps.identities.forget(credential)
      parsed = await identifyAgain()
      continue
    }
    const held = await hold(admitted, deps)
    if (held !== 'stale') return held
    deps.identities.distrust(credential)
    parsed = await identifyAgain()
    staleReserves += 1
    // The cached record stays older than the ledger's; a retry by the client after the next snapshot succeeds.
    if (staleReserves > MAX_STALE_RESERVES) throw new AppError('ledger.cold')
  }
}

/** Takes places in limits, and the hold. 'stale': the caller was identified from an older record. */
async function hold(admitted: Admitted, deps: RelayDeps): Promise<Held | 'stale'> {
  const { context, admission, costEstimate, next_groups } = admitted
  const { limits } = admission
  refuseTooLong(limits, costEstimate.prompt_tokens)
  const shared =
    limits.shared.length === 0 ? NO_SHARED_LIMITS : await takeSharedLimits(context, { tokens: costEstimate.tokens, limits }, deps)
  const { leases } = shared
  const input = {
    ...admitted,
    costEstimate: maxHoldEstimate(costEstimate, next_groups),
    pendingEvent: encodePendingEvent(admitted),
    leases,
  }
  const taken = await reserveWithRetries(context, input, deps)
  if (taken === 'stale') return taken
  context.refusal.held()
  if (shared.limits.length > 0 || taken.limits !== undefined) announceLimits(context, [...shared.limits, ...(taken.limits ?? [])])
  if (taken.budgets !== undefined) announceBudgets(context, taken.budgets, deps.heartbeat.redisNow(admitted.caller.record.shard))
  return { ...admitted, hold: taken, progress: startProgress(admitted, leases) }
}

/** admit and quote. A refusal from an identity older than `FRESH_MS` is not final. */
function admitUnlessOutdated(
  parsed: Parsed,
  { crosses_groups = false, is_owed = false, chain }: Options,
  deps: RelayDeps,
): Admitted | 'outdated' {
  const { context, caller, request } = parsed
  context.refusal.identified(caller.record)
  context.refusal.parsed(request.chat)
  const found = admitFresh({ ...parsed, chain }, deps)
  if (found === 'outdated') return found
  const admitted = is_owed ? { ...found, windows: [], limits: { shared: [] }, budgets: countOnly(found.budgets) } : found
  context.refusal.admitted(admitted.group)
  const { admission: priced, costEstimate } = quoteFirst(parsed, admitted, deps)
  const next_groups = crosses_groups
    ? quoteNextGroups({ caller, request, admission: priced, started_at: context.clock.started_at }, costEstimate, deps)
    : NO_GROUPS
  const admission = priced.chain === undefined ? priced : noteUnpriced(priced, next_groups)
  const opening = encodeEventOpening(context, {
    record: caller.record,
    model: admission.model,
    group: admission.group,
    quote: costEstimate.quote,
  })
  return { ...parsed, admission, costEstimate, next_groups, opening }
}

/** The first model of the chain that has a price; the refusal is that of the requested one. */
function quoteFirst({ context, caller, request }: Parsed, first: Admission, deps: RelayDeps): Pick<Admitted, 'admission' | 'costEstimate'> {
  let refusal: unknown
  for (let admission: Admission | undefined = first; admission !== undefined; admission = withoutUnpriced(admission))
    try {
      return { admission, costEstimate: quote(context, { caller, request, admission }, deps) }
    } catch (error) {
      if (!(error instanceof AppError) || admission.chain === undefined) throw error
      refusal ??= error
    }
  throw refusal
}

/** Notes the models of a chain that are left out because they have no price. */
function noteUnpriced(admission: Admission, priced: readonly PricedGroup[]): Admission {
  const { chain, next_groups = [], model } = admission
  const unpriced = new Set(
    next_groups.map((next) => next.model).filter((name) => name !== model && !priced.some((one) => one.model === name)),
  )
  if (chain === undefined || unpriced.size === 0) return admission
  const passed = [...chain.passed, ...[...unpriced].map((name) => ({ model: name, reason: 'unpriced' as const }))]
  return { ...admission, chain: { ...chain, passed } }
}

function admitFresh(parsed: Parsed & Pick<Options, 'chain'>, deps: RelayDeps): Admission | 'outdated' {
  try {
    return admit(parsed.context, parsed, deps)
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('access.') || deps.now() - parsed.caller.read_at <= FRESH_MS) throw error
    return 'outdated'
  }
}

type Reserving = ReserveStepInput & { readonly leases: readonly Lease[] }

/**
 * Reserves, and again after a cold account was loaded or an outdated heartbeat was refreshed. Without a hold it gives back the slot of
 * the settle queue and the leases of shared limits. 'stale': the caller was identified from an older record.
 */
async function reserveWithRetries(context: RequestContext, input: Reserving, deps: RelayDeps): Promise<Hold | 'stale'> {
  let hasSlot = false
  try {
    takeReserveSlot(context, input.caller.record.shard, deps)
    hasSlot = true
    let reserveInput = toReserveInput(context, input, deps)
    let result = await reserve(reserveInput, deps)
    context.permit.release()
    for (let loads = 0, isRefreshed = false; ;) {
      if (result.kind === 'held') return toHold(result, reserveInput, input.admission)
      if (result.kind === 'stale') break
      if (result.kind === 'window-over') {
        reserveInput = toReserveInput(context, input, deps, endOf(reserveInput))
      } else if (result.kind === 'cold' && loads < MAX_LOADS) {
        loads += 1
        await loadAccount(context, reserveInput, deps)
      } else if (result.kind === 'too-late' && !isRefreshed) {
        // Nothing was taken: Redis was slow for a moment, and one fresh heartbeat is enough to continue.
        isRefreshed = true
        loads = 0
        await deps.heartbeat.refresh()
        reserveInput = toReserveInput(context, input, deps)
      } else throwNotHeld(context, result, { ...input, reserveInput }, deps)
      result = await reserve(reserveInput, deps)
    }
  } catch (error) {
    releaseReservation(hasSlot, input, deps)
    throw error
  }
  releaseReservation(hasSlot, input, deps)
  return 'stale'
}

/** The earliest end of the windows that counted a request. */
const endOf = ({ budgets = [] }: ReserveInput): number => Math.min(...budgets.map(({ end }) => end)) * 1000

/** The control plane loads an account once for all requests that wait for it; without it they fail with 503 at once. */
async function loadAccount({ incoming }: RequestContext, account: { user_id: number; token_id: number }, deps: RelayDeps): Promise<void> {
  const { user_id, token_id } = account
  await deps.controlPlane.load({ user_id, token_id }, traceparentOf(incoming)).catch((cause: unknown) => {
    throw new AppError('ledger.cold', {}, { cause })
  })
}

function releaseReservation(hasSlot: boolean, { leases }: Reserving, { settleQueue, sharedLimits }: RelayDeps): void {
  if (hasSlot) settleQueue.freeSlot()
  void sharedLimits.cancel(leases)
}
