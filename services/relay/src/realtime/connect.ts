import { AppError } from '@tollgate/contracts/app-error'
import { OutboundError } from '@tollgate/outbound/errors'
import { factsOf } from '@tollgate/providers/chat/model-request'
import { textAt } from '@tollgate/providers/json'
import { realtime } from '@tollgate/providers/operations/realtime'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import { openSocket, type SocketCall, type UpstreamSocket } from '@tollgate/upstream/socket'
import { attemptBase, limitTimeouts, prepareCall, recordAttempt, recordFailure, recordUnprepared, type Turn } from '../channels/attempt.ts'
import { openCallMedia } from '../channels/call-media.ts'
import { callChannels } from '../channels/call-channels.ts'
import type { FailedAttempt } from '../channels/outcome.ts'
import { queryOf, refuseQuery } from '../transport/query.ts'
import type { RelayDeps } from '../deps.ts'
import { toNoChannelLeftError } from '../response/refuse.ts'
import { findCaller } from '../identity/caller.ts'
import { UPLOAD, withToken, type ClientSecret } from '../identity/client-secrets.ts'
import { RequestAbort } from '../request/abort.ts'
import type { RequestContext } from '../request/context.ts'
import { settleOnEnd } from '../pipeline/finish.ts'
import { openRequest } from '../pipeline/open-request.ts'
import { LocalContent } from '../request/local-content.ts'
import { toAbortedResponse, toErrorResponse } from '../response/outcome.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { toHeartbeatProgress } from '../request/heartbeat-progress.ts'
import type { Held } from '../request/phases.ts'

/** The largest event that either side may send; audio comes in pieces of at most 15 MB. */
export const MAX_EVENT = 20 * 1024 * 1024

const NO_BODY = { bytes: Buffer.alloc(0), release: () => undefined }

/** A session with both connections and the hold for its first response. */
export type Connected = {
  readonly kind: 'connected'
  readonly socket: UpstreamSocket
  readonly held: Held
  /** Events of the client that come before those it still sends. */
  readonly first: readonly string[]
  /** The client has its `session.created` already. */
  readonly is_greeted?: true
}

/**
 * Does everything that comes before the client's handshake is answered: identifies the caller, takes a hold, and connects to a vendor.
 * Failures until then are answered over HTTP; undefined: the request was answered. `named` is the model of a session whose address names
 * none.
 */
export async function connectVendor(context: RequestContext, deps: RelayDeps, named?: string): Promise<Connected | undefined> {
  const secret = deps.clientSecrets.open(context.incoming)
  if (secret?.session[UPLOAD] !== undefined) throw new AppError('token.invalid')
  if (secret !== undefined) withToken(context.incoming, secret)
  const caller = await findCaller(context, deps)
  refuseQuery(context.incoming.url)
  const request = readRequest(context, named ?? textAt(secret?.session, 'model'))
  const held = await openRequest({ context, caller, request }, {}, deps)
  const abort = new RequestAbort(context.reply, () => context.clock.elapsed())
  deps.open.open(
    context.id,
    () => toHeartbeatProgress(held),
    () => abort.shutDown(),
  )
  const calling = callChannels<Opened>(held, { abort }, deps, {
    attempt: (turn) => attempt(held, { ...turn, abort }, deps),
    withoutChannel: () => undefined,
  })
  const outcome = await calling.catch((error: unknown) => ({ kind: 'broken', error }) as const)
  if (outcome.kind === 'opened' && !abort.aborted) return { kind: 'connected', socket: outcome.socket, held, first: firstEvents(secret) }
  if (outcome.kind === 'opened') outcome.socket.close()
  await settleOnEnd(held, deps, async () => {
    if (outcome.kind === 'no-channel-left') return toErrorResponse(held, toNoChannelLeftError(outcome, held), deps)
    return outcome.kind === 'broken' ? toErrorResponse(held, outcome.error, deps) : toAbortedResponse(held, abort, deps)
  })
  return undefined
}

const firstEvents = (secret: ClientSecret | undefined): string[] =>
  secret === undefined ? [] : [JSON.stringify({ type: 'session.update', session: secret.session })]

/** Settles a session whose client disconnected between the vendor's handshake and its own. */
export async function abandon({ held, socket }: Connected, deps: RelayDeps): Promise<void> {
  socket.close()
  await settleOnEnd(held, deps, async () => ({ ended: { kind: 'abandoned', failed: held }, finish: () => undefined }))
}

function readRequest({ incoming }: RequestContext, usual = ''): ParsedRequest {
  const model = new URLSearchParams(queryOf(incoming.url ?? '')).get('model') ?? usual
  const decoded = realtime.readRequest({}, { model })
  if (decoded.kind === 'invalid') throw new AppError(decoded.code, { detail: decoded.detail })
  return {
    body: NO_BODY,
    operation: realtime,
    content_type: '',
    chat: factsOf(decoded.request),
    content: new LocalContent(realtime, decoded.request),
  }
}

type Opened = { readonly kind: 'opened'; readonly socket: UpstreamSocket }
type Input = Turn & { readonly abort: RequestAbort }

async function attempt(held: Held, { chosen, rest_ms, abort }: Input, deps: RelayDeps): Promise<Opened | FailedAttempt> {
  const { context, request, progress } = held
  const { calls } = progress
  const { channel, channelKey } = chosen
  const key = deps.config.keyOf(channel, channelKey.key_id)
  calls.vendorKey = key
  const prepared = await prepareCall(held, { channel, key, media: openCallMedia(held, deps.media) }, deps)
  calls.upstream_model = prepared.kind === 'ok' ? prepared.call.upstream_model : request.chat.model
  const base = attemptBase(held, chosen, context.clock.elapsed())
  if (prepared.kind !== 'ok') return recordUnprepared(held, base, prepared)
  const controller = new AbortController()
  abort.onAbort(() => controller.abort())
  try {
    const call = toSocketCall(context, prepared.call, key)
    const opening = await openSocket(deps.upstream, call, {
      signal: controller.signal,
      timeouts: limitTimeouts(deps.timeouts, rest_ms),
      maxBytes: MAX_EVENT,
    })
    const first = { ...base, first_byte_ms: context.clock.elapsed(), status: opening.kind === 'open' ? 101 : opening.status }
    if (opening.kind === 'refused') return recordFailure(held, first, prepared.translator.decodeError(opening.status, opening.body))
    recordAttempt(held, { ...first, ended_ms: context.clock.elapsed(), outcome: 'answered' })
    return { kind: 'opened', socket: opening.socket }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return recordFailure(held, base, toUpstreamFailure(error))
  } finally {
    abort.onAbort(undefined)
  }
}

/** Whether a session is asked for that only transcribes, whose address names no model; its first event does. */
export const isUnnamed = (url = ''): boolean => {
  const query = new URLSearchParams(queryOf(url))
  return query.get('intent') === 'transcription' && !query.has('model')
}

/** The vendor's path for such a session, which names no model either. */
function withoutModel(path: string): string {
  const query = new URLSearchParams(queryOf(path))
  query.delete('model')
  return `${path.slice(0, path.indexOf('?'))}?${query.toString()}`
}

const BETA = 'openai-beta.realtime-v1'
/** Headers of HTTP calls that have no meaning in a handshake. */
const NOT_SENT = new Set(['content-type', 'accept', 'accept-encoding'])
/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Authenticates the way the client does: by sub-protocols if it offers them, otherwise by headers. */
function toSocketCall({ incoming }: RequestContext, call: SocketCallParts, key: string): SocketCall {
  const headers = Array.from({ length: call.headers.length / 2 }, (_, at) => call.headers.slice(at * 2, at * 2 + 2)).filter(
    ([name = '']) => !NOT_SENT.has(name),
  )
  const offered = String(incoming.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((part) => part.trim())
  const { origin, proxy } = call
  const path = isUnnamed(incoming.url) ? withoutModel(call.path) : call.path
  if (!offered.includes('realtime')) return { origin, path, proxy, headers: headers.flat(), protocols: [] }
  const beta = offered.includes(BETA) ? [BETA] : []
  const isBearer = headers.some(([name]) => name === 'authorization') && TOKEN.test(key)
  if (!isBearer) return { origin, path, proxy, headers: headers.flat(), protocols: ['realtime', ...beta] }
  const rest = headers.filter(([name]) => name !== 'authorization').flat()
  return { origin, path, proxy, headers: rest, protocols: ['realtime', `openai-insecure-api-key.${key}`, ...beta] }
}

type SocketCallParts = Omit<SocketCall, 'protocols'>
