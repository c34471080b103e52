import { AppError } from '@tollgate/contracts/app-error'
import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import type { JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../deps.ts'
import { FRESH_MS, findCaller } from '../identity/caller.ts'
import type { Caller } from '../request/caller.ts'
import { announceLimits, NO_SHARED_LIMITS, refuseTooLong, takeSharedLimits } from '../limits/request-limits.ts'
import { admit } from './admit.ts'
import type { Admission } from '../request/admission.ts'
import { coveringAll, quote, quoteNextGroups } from './quote.ts'
import type { PricedGroup } from '../request/cost-estimate.ts'
import { reserve, takeReserveSlot, throwNotHeld, toHold, toReserveInput, type ReserveStepInput } from './reserve.ts'
import type { Hold } from '../request/hold.ts'
import { settle } from './settle.ts'
import { traceparentOf, type RequestContext } from '../request/context.ts'
import { toErrorResponse, type PendingResponse } from '../response/outcome.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { createRequestRecord, type RequestRecord } from '../request/record.ts'
import { encodePendingEvent } from '../request/usage-event.ts'

/** A request that holds money. It must end in exactly one settlement. */
export type OpenedRequest = {
  readonly record: RequestRecord
  readonly request: ParsedRequest
  readonly admission: Admission
  /** The groups that the hold was taken for beside the first. */
  readonly next_groups: readonly PricedGroup[]
}

type Input = {
  readonly caller: Caller
  readonly request: ParsedRequest
  /** The request is sent to channels until one answers, so it can move on to another group. */
  readonly crosses_groups?: boolean
}

const NO_GROUPS: readonly PricedGroup[] = []
const MAX_STALE_RESERVES = 3
const MAX_LOADS = 2

/**
 * admit, quote and reserve. Identifies the caller again and repeats them when the cached identity refuses the request, or when the
 * ledger has a newer version of the account.
 */
export async function openRequest(
  context: RequestContext,
  { caller: first, request, crosses_groups }: Input,
  deps: RelayDeps,
): Promise<OpenedRequest> {
  let caller = first
  let staleReserves = 0
  for (;;) {
    context.refusal.identified(caller.record)
    context.refusal.parsed(request.chat)
    const admission = admitUnlessOutdated(context, { caller, request }, deps)
    if (admission === 'outdated') {
      deps.identities.forget(caller.credential)
      caller = await findCaller(context, deps)
      continue
    }
    context.refusal.admitted(admission.group)
    const costEstimate = quote(context, { caller, request, admission }, deps)
    const next_groups = crosses_groups === true ? quoteNextGroups({ caller, request, admission }, costEstimate, deps.config) : NO_GROUPS
    const record = createRequestRecord(context, { caller, request, admission, costEstimate })
    const { limits } = admission
    refuseTooLong(limits, costEstimate.prompt_tokens)
    const shared =
      limits.shared.length === 0 ? NO_SHARED_LIMITS : await takeSharedLimits(context, { tokens: costEstimate.tokens, limits }, deps)
    const hold = await reserveWithRetries(
      context,
      {
        caller,
        admission,
        costEstimate: coveringAll(costEstimate, next_groups),
        pendingEvent: encodePendingEvent(record),
        leases: shared.leases,
      },
      deps,
    )
    if (hold !== 'stale') {
      context.refusal.held()
      record.hold = hold
      record.leases = shared.leases
      if (shared.limits.length > 0 || hold.limits !== undefined) announceLimits(context, [...shared.limits, ...(hold.limits ?? [])])
      return { record, request, admission, next_groups }
    }
    deps.identities.distrust(caller.credential)
    caller = await findCaller(context, deps)
    staleReserves += 1
    // The cached record stays older than the ledger's; a retry by the client after the next snapshot succeeds.
    if (staleReserves > MAX_STALE_RESERVES) throw new AppError('ledger.cold')
  }
}

/** Admits the request. A refusal from an identity older than `FRESH_MS` is not final. */
function admitUnlessOutdated(context: RequestContext, input: Input, deps: RelayDeps): Admission | 'outdated' {
  try {
    return admit(context, input, deps)
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('access.') || deps.now() - input.caller.read_at <= FRESH_MS) throw error
    return 'outdated'
  }
}

type Reserving = ReserveStepInput & { readonly leases: RequestRecord['leases'] }

/**
 * Reserves, and again after a cold account was loaded or an outdated heartbeat was refreshed. Without a hold it gives back the slot of
 * the settle queue and the leases of shared limits. 'stale': the caller was identified from an older record.
 */
async function reserveWithRetries(context: RequestContext, input: Reserving, deps: RelayDeps): Promise<Hold | 'stale'> {
  let hasSlot = false
  try {
    takeReserveSlot(context, deps)
    hasSlot = true
    let reserveInput = toReserveInput(context, input, deps)
    let result = await reserve(reserveInput, deps)
    context.permit.release()
    for (let loads = 0, isRefreshed = false; ;) {
      if (result.kind === 'held') return toHold(result, input.admission)
      if (result.kind === 'stale') break
      if (result.kind === 'cold' && loads < MAX_LOADS) {
        loads += 1
        await loadAccount(context, reserveInput, deps)
      } else if (result.kind === 'too-late' && !isRefreshed) {
        // Nothing was taken: Redis was slow for a moment, and one fresh heartbeat is enough to continue.
        isRefreshed = true
        loads = 0
        await deps.heartbeat.refresh()
        reserveInput = toReserveInput(context, input, deps)
      } else throwNotHeld(context, result, input, deps)
      result = await reserve(reserveInput, deps)
    }
  } catch (error) {
    giveBack(hasSlot, input, deps)
    throw error
  }
  giveBack(hasSlot, input, deps)
  return 'stale'
}

/** The control plane loads an account once for all requests that wait for it; without it they fail with 503 at once. */
async function loadAccount({ incoming }: RequestContext, account: { user_id: number; token_id: number }, deps: RelayDeps): Promise<void> {
  const { user_id, token_id } = account
  await deps.controlPlane.load({ user_id, token_id }, traceparentOf(incoming)).catch((cause: unknown) => {
    throw new AppError('ledger.cold', {}, { cause })
  })
}

function giveBack(hasSlot: boolean, { leases }: Reserving, { settleQueue, sharedLimits }: RelayDeps): void {
  if (hasSlot) settleQueue.freeSlot()
  void sharedLimits.cancel(leases)
}

/** The only finaliser: settles an opened request once, whatever `work` returns or throws, and sends the end of the response after that. */
export async function settleOnEnd(record: RequestRecord, deps: RelayDeps, work: () => Promise<PendingResponse>): Promise<void> {
  const response = await work().catch((error: unknown) => toErrorResponse(record, error, deps))
  const keeping = keepAnswer(record, response.answer, deps)
  await settle(record, response.outcome, deps)
  // The client can refer to the answer as soon as it has its end.
  if (keeping !== undefined) await keeping
  if (!record.context.reply.isClosed) response.finish()
  deps.observer.finished(record, response.outcome)
}

/** Keeps the answer for later turns; undefined: it is not to be kept. */
function keepAnswer(record: RequestRecord, answer: JsonObject | undefined, { responses, config }: RelayDeps): Promise<unknown> | undefined {
  const { conversation, caller, channel, channelKey, is_converted, model } = record
  if (conversation?.is_stored !== true || answer === undefined || channelKey === undefined) return undefined
  const { channel_id, key_id } = channelKey
  const mapped = channel === undefined ? undefined : mapModel(channel.model_mapping, model)
  const isRenamed = mapped?.kind === 'ok' && mapped.isMapped && !config.settings.calls.names_upstream_model
  const made_by = is_converted ? undefined : { channel_id, key_id, ...(isRenamed ? { model } : {}) }
  const kept = responses.keepAnswer(answer, { user_id: caller.record.user_id, chain: conversation.chain, made_by })
  return record.keeping === undefined ? kept : Promise.all([kept, record.keeping])
}

/** Settles an opened request that has no response of its own: one response of a realtime session. */
export async function settleRequest(record: RequestRecord, outcome: ResponseOutcome, deps: RelayDeps): Promise<void> {
  await settle(record, outcome, deps)
  deps.observer.finished(record, outcome)
}
