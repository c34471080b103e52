import { AppError } from '@tollgate/contracts/app-error'
import { OutboundError } from '@tollgate/outbound/errors'
import { factsOf } from '@tollgate/providers/chat/model-request'
import { realtime } from '@tollgate/providers/operations/realtime'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import { openSocket, type SocketCall, type UpstreamSocket } from '@tollgate/upstream/socket'
import { visible } from '@tollgate/telemetry/visible'
import { LocalContent } from '../request/local-content.ts'
import { watchDeparture, type Departure } from '../request/abort.ts'
import type { RelayDeps } from '../deps.ts'
import { callChannels, fail, note, preparationFailure, prepareFor, within, type Failed, type Turn } from '../pipeline/dispatch.ts'
import { identify, type Caller } from '../pipeline/identify.ts'
import type { RequestRecord } from '../request/record.ts'
import type { ParsedRequest } from '../pipeline/read.ts'
import { hold, settledOnEnd, toGone, toProgress, toRefused } from '../pipeline/run.ts'
import { toNoChannelLeftError } from '../errors/refuse.ts'
import { queryOf } from '../client-apis/client-api.ts'
import type { RequestContext } from '../request/context.ts'

/** The largest event that either side may send; sound comes in pieces of 15 MB at most. */
export const MAX_EVENT = 20 * 1024 * 1024

const NO_BODY = { bytes: Buffer.alloc(0), release: () => undefined }

/** A session with both its ends, and the money for its first response. */
export type Connected = {
  readonly kind: 'connected'
  readonly socket: UpstreamSocket
  readonly caller: Caller
  readonly request: ParsedRequest
  readonly record: RequestRecord
}

/**
 * Everything that comes before the client's handshake is answered: who calls, what may be used, the hold, and a vendor that accepts.
 * What fails until then is told as HTTP; undefined: it was told.
 */
export async function connectVendor(context: RequestContext, deps: RelayDeps): Promise<Connected | undefined> {
  const caller = await identify(context, deps)
  const request = readRequest(context)
  const { record, admission } = await hold(context, { caller, request }, deps)
  const departure = watchDeparture(context.reply, () => context.clock.elapsed())
  deps.open.open(
    context.id,
    () => toProgress(record, undefined),
    () => departure.stop(),
  )
  const work = callChannels<Opened>(record, { request, admission, departure }, deps, {
    attempt: (turn) => attempt(record, { ...turn, request, departure }, deps),
    otherwise: () => undefined,
  })
  const outcome = await work.catch((error: unknown) => ({ kind: 'broken', error }) as const)
  if (outcome.kind === 'opened' && !departure.isGone) return { kind: 'connected', socket: outcome.socket, caller, request, record }
  if (outcome.kind === 'opened') outcome.socket.close()
  await settledOnEnd(record, deps, async () => {
    if (outcome.kind === 'no-channel-left') return toRefused(record, toNoChannelLeftError(outcome, record), deps)
    return outcome.kind === 'broken' ? toRefused(record, outcome.error, deps) : toGone(record, departure, deps)
  })
  return undefined
}

/** The client left between the vendor's handshake and its own. */
export async function abandon({ record, socket }: Connected, deps: RelayDeps): Promise<void> {
  socket.close()
  const outcome = { usage: undefined, client_status: 499, ended_by: 'client-disconnected' } as const
  await settledOnEnd(record, deps, async () => ({ outcome, finish: () => undefined }))
}

function readRequest({ incoming }: RequestContext): ParsedRequest {
  const model = new URLSearchParams(queryOf(incoming.url ?? '')).get('model') ?? ''
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
type Input = Turn & { readonly request: ParsedRequest; readonly departure: Departure }

async function attempt(record: RequestRecord, { chosen, rest_ms, request, departure }: Input, deps: RelayDeps): Promise<Opened | Failed> {
  const { context } = record
  const { channel, channelKey } = chosen
  const key = deps.config.keyOf(channel, channelKey.key_id)
  const prepared = await prepareFor(record, { channel, key, request }, deps)
  record.upstream_model = prepared.kind === 'ok' ? prepared.call.upstream_model : request.chat.model
  const base = {
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    upstream_model: visible(record.upstream_model, 100),
    started_ms: context.clock.elapsed(),
    ...(channelKey.key_id === '' ? {} : { key: channelKey.key_id }),
  }
  if (prepared.kind !== 'ok') return { ...fail(record, base, preparationFailure(prepared)), is_local: true }
  const abort = new AbortController()
  departure.follow(() => abort.abort())
  try {
    const call = toSocketCall(context, prepared.call, key)
    const opening = await openSocket(deps.upstream, call, {
      signal: abort.signal,
      timeouts: within(deps.timeouts, rest_ms),
      maxBytes: MAX_EVENT,
    })
    const first = { ...base, first_byte_ms: context.clock.elapsed(), status: opening.kind === 'open' ? 101 : opening.status }
    if (opening.kind === 'refused') return fail(record, first, prepared.translator.decodeError(opening.status, opening.body))
    note(record, { ...first, ended_ms: context.clock.elapsed(), outcome: 'answered' })
    return { kind: 'opened', socket: opening.socket }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return fail(record, base, toUpstreamFailure(error))
  } finally {
    departure.follow(undefined)
  }
}

const BETA = 'openai-beta.realtime-v1'
/** Of HTTP calls, and nothing to a handshake. */
const NOT_SENT = new Set(['content-type', 'accept', 'accept-encoding'])
/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** A client that offers sub-protocols is served by sub-protocols, the others by headers: relay-facts 5.6. */
function toSocketCall({ incoming }: RequestContext, call: SocketCallParts, key: string): SocketCall {
  const headers = Array.from({ length: call.headers.length / 2 }, (_, at) => call.headers.slice(at * 2, at * 2 + 2)).filter(
    ([name = '']) => !NOT_SENT.has(name),
  )
  const offered = String(incoming.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((part) => part.trim())
  const { origin, path, proxy } = call
  if (!offered.includes('realtime')) return { origin, path, proxy, headers: headers.flat(), protocols: [] }
  const beta = offered.includes(BETA) ? [BETA] : []
  const isBearer = headers.some(([name]) => name === 'authorization') && TOKEN.test(key)
  if (!isBearer) return { origin, path, proxy, headers: headers.flat(), protocols: ['realtime', ...beta] }
  const rest = headers.filter(([name]) => name !== 'authorization').flat()
  return { origin, path, proxy, headers: rest, protocols: ['realtime', `openai-insecure-api-key.${key}`, ...beta] }
}

type SocketCallParts = Omit<SocketCall, 'protocols'>
