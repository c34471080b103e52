import { setImmediate as nextTurn } from 'node:timers/promises'
import { toResponseId } from '@tollgate/providers/formats/openai-responses/own-ids'
import { refuseQuery } from '../transport/query.ts'
import type { RelayDeps } from '../deps.ts'
import { refuse } from '../response/refuse.ts'
import { RequestAbort } from '../request/abort.ts'
import type { RequestContext } from '../request/context.ts'
import { openRequest, settleOnEnd, type OpenedRequest } from './open-request.ts'
import type { PendingResponse } from '../response/outcome.ts'
import { dropBody, type ParsedRequest } from '../request/parsed-request.ts'
import type { DeferredBody, RouteSpec } from './route-spec.ts'
import { waitForPermit } from '../request/permit.ts'
import { toProgress } from '../request/progress.ts'
import type { RequestRecord } from '../request/record.ts'
import { keepableInput } from '../response-state/response-states.ts'
import type { Body } from '../transport/body/collect-body.ts'
import { startPinger } from '../response/event-stream.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { identify } from './identify.ts'
import { collect, read } from './read.ts'

/** Runs one request: identify, read, admit, quote, reserve, dispatch, deliver, settle. Answers it in every case. */
export async function run(context: RequestContext, route: RouteSpec, deps: RelayDeps): Promise<void> {
  let request: ParsedRequest | undefined
  try {
    if (deps.admissionQueue.isFull) await waitForPermit(context, deps)
    const caller = await identify(context, route.operation, deps)
    refuseQuery(context.incoming.url)
    const body = await collect(context, { ...route, user_id: caller.record.user_id }, deps)
    const deferred = findDeferred(route, body)
    if (deferred !== undefined) {
      try {
        return await deferred.answer(context, { caller, body: deferred.body }, deps)
      } finally {
        body.release()
      }
    }
    request = await read(context, { ...route, user_id: caller.record.user_id, body }, deps)
    // admit, quote and reserve, which realtime sessions repeat for every response.
    const opened = await openRequest(context, { caller, request, crosses_groups: true }, deps)
    await settleOnEnd(opened.record, deps, () => respond(opened, deps))
  } catch (error) {
    refuse(context, error, deps)
  } finally {
    context.permit.release()
    if (request !== undefined) dropBody(request)
  }
}

/** A body that is to run later; undefined: it runs now. */
function findDeferred({ defer }: RouteSpec, body: Body) {
  if (defer === undefined) return undefined
  let found: DeferredBody | undefined
  try {
    found = defer.read(body.bytes)
  } catch (error) {
    body.release()
    throw error
  }
  if (found === undefined) return undefined
  return { answer: defer.answer, body: found }
}

/** Keeps the new items of a request whose answer is converted; vendors keep those of their own answers. */
function keepInput(record: RequestRecord, { conversation, body }: ParsedRequest, { responses, config }: RelayDeps): void {
  if (conversation?.is_stored !== true || !record.is_converted) return
  const { bytes } = body
  const keep = async (): Promise<void> => {
    // After the first piece of the answer was sent.
    await nextTurn()
    const items = conversation.input ?? keepableInput(bytes, config.settings.response_state.max_bytes)
    if (items === undefined) return
    const { context, caller } = record
    await responses.keepInput({ user_id: caller.record.user_id, response_id: toResponseId(context), items })
  }
  record.keeping = keep()
}

/** dispatch and deliver. */
async function respond({ record, request, admission, next_groups }: OpenedRequest, deps: RelayDeps): Promise<PendingResponse> {
  const { context } = record
  const abort = new RequestAbort(context.reply, () => context.clock.elapsed())
  const pinger = request.chat.is_stream ? startPinger(context, deps.config.settings.ping_ms) : undefined
  deps.open.open(
    context.id,
    () => toProgress(record),
    () => abort.shutDown(),
  )
  try {
    const dispatched = await dispatch(record, { request, admission, next_groups, abort }, deps)
    keepInput(record, request, deps)
    dropBody(request)
    record.media?.release()
    return await deliver(record, { dispatched, abort, pinger }, deps)
  } finally {
    pinger?.stop()
    record.media?.release()
  }
}
