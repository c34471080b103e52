import type { RelayDeps } from '../deps.ts'
import { RequestAbort } from '../request/abort.ts'
import type { RequestContext } from '../request/context.ts'
import { openHeld } from '../request/heartbeat-progress.ts'
import { dropBody } from '../request/parsed-request.ts'
import { waitForPermit } from '../request/permit.ts'
import type { Held, Parsed } from '../request/phases.ts'
import { startPinger } from '../response/event-stream.ts'
import { refuse } from '../response/refuse.ts'
import { refuseQuery } from '../transport/query.ts'
import { defer } from './defer.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { settleOnEnd, type Response } from './finish.ts'
import { findChain } from './find-chain.ts'
import { identify } from './identify.ts'
import { keepInput } from './keep-input.ts'
import { openRequest } from './open-request.ts'
import { collect, read } from './read.ts'
import type { RouteSpec } from './route-spec.ts'

/** Runs one request: identify, read, admit, quote, reserve, dispatch, deliver, settle. Answers it in every case. */
export async function run(context: RequestContext, route: RouteSpec, deps: RelayDeps): Promise<void> {
  let parsed: Parsed | undefined
  try {
    if (deps.admissionQueue.isFull) await waitForPermit(context, deps)
    const identified = await identify(context, route.operation, deps)
    refuseQuery(context.incoming.url)
    const body = await collect(identified, route, deps)
    if (await defer(identified, route, body, deps)) return
    parsed = await read(identified, { ...route, body }, deps)
    const chain = findChain(parsed, deps)
    // admit, quote and reserve, which realtime sessions repeat for every response.
    const held = await openRequest(parsed, { crosses_groups: true, chain: chain instanceof Promise ? await chain : chain }, deps)
    await settleOnEnd(held, deps, () => respond(held, deps))
  } catch (error) {
    refuse(context, error, deps)
  } finally {
    context.permit.release()
    if (parsed !== undefined) dropBody(parsed.request)
  }
}

/** dispatch and deliver. */
async function respond(held: Held, deps: RelayDeps): Promise<Response> {
  const { context, request } = held
  const abort = new RequestAbort(context.reply, () => context.clock.elapsed())
  const pinger = request.chat.is_stream ? startPinger(context, deps.config.settings.ping_ms) : undefined
  openHeld(held, abort, deps)
  held.progress.recording = deps.observer.record(held)
  try {
    const result = await dispatch(held, abort, deps)
    const keeping = keepInput(held, deps)
    held.progress.recording?.readPrompt()
    dropBody(request)
    return { ...(await deliver(held, { result, abort, pinger }, deps)), keeping }
  } finally {
    pinger?.stop()
  }
}
