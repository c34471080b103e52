import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { OutboundError } from '@tollgate/outbound/errors'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import { openSocket, type SocketCall, type UpstreamSocket } from '@tollgate/upstream/socket'
import { attemptBase, limitTimeouts, prepareCall, recordAttempt, recordFailure, recordUnprepared, type Turn } from '../channels/attempt.ts'
import { openCallMedia } from '../channels/call-media.ts'
import { callChannels } from '../channels/call-channels.ts'
import type { FailedAttempt } from '../channels/outcome.ts'
import type { RelayDeps } from '../deps.ts'
import { settleOnEnd } from '../pipeline/finish.ts'
import { openRequest } from '../pipeline/open-request.ts'
import { RequestAbort } from '../request/abort.ts'
import { toHeartbeatProgress } from '../request/heartbeat-progress.ts'
import type { Held, Parsed } from '../request/phases.ts'
import { toAbortedResponse, toErrorResponse } from '../response/outcome.ts'
import { toNoChannelLeftError } from '../response/refuse.ts'

/** The largest event that either side may send; audio comes in pieces of at most 15 MB. */
export const MAX_EVENT = 20 * 1024 * 1024

export type SocketCallParts = Omit<SocketCall, 'protocols'>

export type Greeting = { readonly upstream_model: string; readonly timeout_ms: number; readonly signal: AbortSignal }

/** How the sessions of one API are opened at a vendor. */
export type Opening = {
  /** The handshake of a prepared call, with the channel's key. */
  toCall(call: SocketCallParts, key: string): SocketCall
  /** Says what comes before the session, and waits until the vendor takes it; absent: the handshake is all. */
  greet?(socket: UpstreamSocket, options: Greeting): Promise<UpstreamFailure | undefined>
}

export type OpenedSession = { readonly socket: UpstreamSocket; readonly held: Held }

/** Takes the first hold and connects to a vendor. Undefined: the request was answered. */
export async function openSession(parsed: Parsed, opening: Opening, deps: RelayDeps): Promise<OpenedSession | undefined> {
  const { context } = parsed
  const held = await openRequest(parsed, {}, deps)
  const abort = new RequestAbort(context.reply, () => context.clock.elapsed())
  deps.open.open(
    context.id,
    () => toHeartbeatProgress(held),
    () => abort.shutDown(),
  )
  const calling = callChannels<Opened>(held, { abort }, deps, {
    attempt: (turn) => attempt(held, { ...turn, abort, opening }, deps),
    withoutChannel: () => undefined,
  })
  const outcome = await calling.catch((error: unknown) => ({ kind: 'broken', error }) as const)
  if (outcome.kind === 'opened' && !abort.aborted) return { socket: outcome.socket, held }
  if (outcome.kind === 'opened') outcome.socket.close()
  await settleOnEnd(held, deps, async () => {
    if (outcome.kind === 'no-channel-left') return toErrorResponse(held, toNoChannelLeftError(outcome, held), deps)
    return outcome.kind === 'broken' ? toErrorResponse(held, outcome.error, deps) : toAbortedResponse(held, abort, deps)
  })
  return undefined
}

/** Settles a session whose client disconnected between the vendor's handshake and its own. */
export async function abandon({ held, socket }: OpenedSession, deps: RelayDeps): Promise<void> {
  socket.close()
  await settleOnEnd(held, deps, async () => ({ ended: { kind: 'abandoned', failed: held }, finish: () => undefined }))
}

type Opened = { readonly kind: 'opened'; readonly socket: UpstreamSocket }
type Input = Turn & { readonly abort: RequestAbort; readonly opening: Opening }

async function attempt(held: Held, { chosen, rest_ms, abort, opening }: Input, deps: RelayDeps): Promise<Opened | FailedAttempt> {
  const { context, request, progress } = held
  const { calls } = progress
  const { channel, channelKey } = chosen
  const key = deps.config.keyOf(channel, channelKey.key_id)
  calls.vendorKey = key
  const prepared = await prepareCall(held, { channel, key, media: openCallMedia(held, deps.media) }, deps)
  calls.upstream_model = prepared.kind === 'ok' ? prepared.call.upstream_model : request.chat.model
  const base = attemptBase(held, chosen, context.clock.elapsed())
  if (prepared.kind !== 'ok') return recordUnprepared(held, base, prepared)
  calls.warnings = prepared.warnings
  const controller = new AbortController()
  abort.onAbort(() => controller.abort())
  const { signal } = controller
  const timeouts = limitTimeouts(deps.timeouts, rest_ms)
  try {
    const opened = await openSocket(deps.upstream, opening.toCall(prepared.call, key), { signal, timeouts, maxBytes: MAX_EVENT })
    const first = { ...base, first_byte_ms: context.clock.elapsed(), status: opened.kind === 'open' ? 101 : opened.status }
    if (opened.kind === 'refused') return recordFailure(held, first, prepared.translator.decodeError(opened.status, opened.body))
    const failure = await opening.greet?.(opened.socket, {
      upstream_model: calls.upstream_model,
      timeout_ms: timeouts.first_byte_ms,
      signal,
    })
    if (failure !== undefined) return recordFailure(held, first, failure)
    recordAttempt(held, { ...first, ended_ms: context.clock.elapsed(), outcome: 'answered' })
    return { kind: 'opened', socket: opened.socket }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return recordFailure(held, base, toUpstreamFailure(error))
  } finally {
    abort.onAbort(undefined)
  }
}
