import type { AddressGuard } from './address-guard.ts'
import type { Calls } from './connection-pool.ts'
import { createDispatcher, type Limits, type Route } from './dispatcher.ts'
import { toOutboundError } from './errors.ts'
import { Exchange, type AnswerSink } from './exchange.ts'
import { toPassingBody } from './passing-body.ts'
import { openRawConnection, type RawConnectionInput } from './raw-connection.ts'
import { request, type OutboundAnswer, type OutboundRequest } from './request.ts'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

export type OutboundCall = {
  readonly method: string
  /** scheme://host[:port] */
  readonly origin: string
  /** Path and query, starting with a slash. */
  readonly path: string
  /** Flat list: name, value, name, value. */
  readonly headers: readonly string[]
  readonly body?: Buffer | string | Readable | undefined
  readonly proxy?: string | undefined
  /** Calls of one lane share connections and their cap; others do not touch them. Example: `channel-7`. */
  readonly lane?: string | undefined
  /** Most connections of this lane to this origin. */
  readonly connections?: number | undefined
}

/** The only maker of HTTP connections. Redirects are never followed. */
export type Outbound = {
  /** Sends and streams the answer to the sink; failures arrive there, nothing is thrown. */
  dispatch(call: OutboundCall, sink: AnswerSink): Exchange
  /** The same on a connection that nobody has used. */
  dispatchFresh(call: OutboundCall, sink: AnswerSink): Exchange
  /** A small call whose whole answer is wanted; throws OutboundError. */
  request(input: OutboundRequest): Promise<OutboundAnswer>
  /** A connection of its own for a protocol that is not request and answer, by the same rules; throws OutboundError. */
  connect(input: RawConnectionInput): Promise<Socket>
  close(): Promise<void>
}

type OutboundOptions = Partial<Limits> & {
  /** Absent only for addresses that the operator's environment names (control plane, console). */
  readonly guard?: AddressGuard | undefined
  readonly connections?: number
}

type Lane = { readonly dispatcher: Calls; readonly connections: number; usedAt: number; open: number }

const IDLE_LANE_MS = 300_000

/** Keeps a pool per lane, origin and proxy, and closes pools that nobody used for five minutes. */
export function createOutbound({ guard, connections = 256, ...limits }: OutboundOptions = {}): Outbound {
  const bounds: Limits = { connectTimeoutMs: 10_000, keepAliveMs: 20_000, connectionAgeMs: 300_000, ...limits }
  const lanes = new Map<string, Lane>()
  const sweep = setInterval(() => closeIdle(lanes), 60_000)
  sweep.unref()

  const routeOf = (call: OutboundCall): Route => ({ origin: call.origin, proxy: call.proxy, connections: call.connections ?? connections })
  const laneOf = (call: OutboundCall): Lane => {
    const key = `${call.lane ?? ''} ${call.origin} ${call.proxy ?? ''} ${call.connections ?? ''}`
    const known = lanes.get(key)
    if (known !== undefined) return known
    const route = routeOf(call)
    const lane = { dispatcher: createDispatcher(route, guard, bounds), connections: route.connections, usedAt: Date.now(), open: 0 }
    lanes.set(key, lane)
    return lane
  }

  const outbound: Outbound = {
    dispatch: (call, sink) => start(sink, (counted) => send(laneOf(call), call, counted)),
    dispatchFresh: (call, sink) =>
      start(sink, (counted) => {
        const dispatcher = createDispatcher({ ...routeOf(call), connections: 1 }, guard, bounds)
        const lane = { dispatcher, connections: 1, usedAt: Date.now(), open: 0 }
        return send(lane, call, closingAfter(counted, dispatcher))
      }),
    request: (input) => request(outbound, input),
    connect: (input) => openRawConnection(input, { guard, connectTimeoutMs: bounds.connectTimeoutMs }),
    close: async () => {
      clearInterval(sweep)
      const all = [...lanes.values()]
      lanes.clear()
      await Promise.all(all.map(({ dispatcher }) => dispatcher.destroy()))
    },
  }
  return outbound
}

/** Errors of building the route (a bad URL, a blocked proxy) reach the sink like any other, one tick later. */
function start(sink: AnswerSink, begin: (sink: AnswerSink) => Exchange): Exchange {
  try {
    return begin(sink)
  } catch (error) {
    const exchange = new Exchange(sink)
    queueMicrotask(() => exchange.abort(toOutboundError(error)))
    return exchange
  }
}

function send(lane: Lane, call: OutboundCall, sink: AnswerSink): Exchange {
  lane.open += 1
  const exchange = new Exchange(sink, () => leave(lane))
  // Time-outs and the cap stand here too, because undici's SOCKS agent makes its pools from the options of a request.
  const options = {
    origin: call.origin,
    path: call.path,
    method: call.method,
    ...contentOf(call),
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: lane.connections,
  }
  try {
    lane.dispatcher.dispatch(options, exchange)
  } catch (error) {
    // undici throws synchronously for what it finds unusable, such as a header with a line break.
    queueMicrotask(() => exchange.abort(toOutboundError(error)))
  }
  return exchange
}

/** Of a body that is handed over, only the header can tell the length. */
function contentOf({ headers, body }: OutboundCall) {
  if (!Buffer.isBuffer(body)) return { headers: [...headers], body: body ?? null }
  const passing = toPassingBody(body)
  return { headers: Buffer.isBuffer(passing) ? [...headers] : [...headers, 'content-length', String(body.length)], body: passing }
}

function leave(lane: Lane): void {
  lane.open -= 1
  lane.usedAt = Date.now()
}

function closingAfter(sink: AnswerSink, dispatcher: Calls): AnswerSink {
  const close = () => void dispatcher.destroy().catch(() => undefined) // closing twice is no failure
  return {
    onHead: (status, headers) => sink.onHead(status, headers),
    onData: (chunk) => sink.onData(chunk),
    onEnd: () => {
      sink.onEnd()
      setImmediate(close)
    },
    onError: (error) => {
      sink.onError(error)
      setImmediate(close)
    },
  }
}

function closeIdle(lanes: Map<string, Lane>): void {
  const before = Date.now() - IDLE_LANE_MS
  for (const [key, lane] of lanes) {
    if (lane.open > 0 || lane.usedAt > before) continue
    lanes.delete(key)
    void lane.dispatcher.close()
  }
}
