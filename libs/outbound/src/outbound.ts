import type { AddressGuard } from './address-guard.ts'
import type { Calls } from './connection-pool.ts'
import { createDispatcher, type Limits, type Route } from './dispatcher.ts'
import { toOutboundError } from './errors.ts'
import { InFlightCall, type AnswerSink } from './in-flight-call.ts'
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
  readonly poolKey?: string | undefined
  /** Most connections of this lane to this origin. */
  readonly connections?: number | undefined
}

/** The only maker of HTTP connections. Redirects are never followed. */
export type Outbound = {
  /** Sends and streams the answer to the sink; failures arrive there, nothing is thrown. */
  dispatch(call: OutboundCall, sink: AnswerSink): InFlightCall
  /** The same on a connection that nobody has used. */
  dispatchFresh(call: OutboundCall, sink: AnswerSink): InFlightCall
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

type Pool = { readonly dispatcher: Calls; readonly connections: number; usedAt: number; open: number }

const IDLE_POOL_MS = 300_000

/** Keeps a pool per lane, origin and proxy, and closes pools that nobody used for five minutes. */
export function createOutbound({ guard, connections = 256, ...limits }: OutboundOptions = {}): Outbound {
  const bounds: Limits = { connectTimeoutMs: 10_000, keepAliveMs: 20_000, connectionAgeMs: 300_000, ...limits }
  const pools = new Map<string, Pool>()
  const sweep = setInterval(() => closeIdle(pools), 60_000)
  sweep.unref()

  const routeOf = (call: OutboundCall): Route => ({ origin: call.origin, proxy: call.proxy, connections: call.connections ?? connections })
  const poolOf = (call: OutboundCall): Pool => {
    const key = `${call.poolKey ?? ''} ${call.origin} ${call.proxy ?? ''} ${call.connections ?? ''}`
    const known = pools.get(key)
    if (known !== undefined) return known
    const route = routeOf(call)
    const poolKey = { dispatcher: createDispatcher(route, guard, bounds), connections: route.connections, usedAt: Date.now(), open: 0 }
    pools.set(key, poolKey)
    return poolKey
  }

  const outbound: Outbound = {
    dispatch: (call, sink) => start(sink, (counted) => send(poolOf(call), call, counted)),
    dispatchFresh: (call, sink) =>
      start(sink, (counted) => {
        const dispatcher = createDispatcher({ ...routeOf(call), connections: 1 }, guard, bounds)
        const poolKey = { dispatcher, connections: 1, usedAt: Date.now(), open: 0 }
        return send(poolKey, call, closingAfter(counted, dispatcher))
      }),
    request: (input) => request(outbound, input),
    connect: (input) => openRawConnection(input, { guard, connectTimeoutMs: bounds.connectTimeoutMs }),
    close: async () => {
      clearInterval(sweep)
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map(({ dispatcher }) => dispatcher.destroy()))
    },
  }
  return outbound
}

/** Errors of building the route (a bad URL, a blocked proxy) reach the sink like any other, one tick later. */
function start(sink: AnswerSink, begin: (sink: AnswerSink) => InFlightCall): InFlightCall {
  try {
    return begin(sink)
  } catch (error) {
    const inFlight = new InFlightCall(sink)
    queueMicrotask(() => inFlight.abort(toOutboundError(error)))
    return inFlight
  }
}

function send(poolKey: Pool, call: OutboundCall, sink: AnswerSink): InFlightCall {
  poolKey.open += 1
  const inFlight = new InFlightCall(sink, () => leave(poolKey))
  // Time-outs and the cap stand here too, because undici's SOCKS agent makes its pools from the options of a request.
  const options = {
    origin: call.origin,
    path: call.path,
    method: call.method,
    ...contentOf(call),
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: poolKey.connections,
  }
  try {
    poolKey.dispatcher.dispatch(options, inFlight)
  } catch (error) {
    // undici throws synchronously for what it finds unusable, such as a header with a line break.
    queueMicrotask(() => inFlight.abort(toOutboundError(error)))
  }
  return inFlight
}

/** Of a body that is handed over, only the header can tell the length. */
function contentOf({ headers, body }: OutboundCall) {
  if (!Buffer.isBuffer(body)) return { headers: [...headers], body: body ?? null }
  const passing = toPassingBody(body)
  return { headers: Buffer.isBuffer(passing) ? [...headers] : [...headers, 'content-length', String(body.length)], body: passing }
}

function leave(poolKey: Pool): void {
  poolKey.open -= 1
  poolKey.usedAt = Date.now()
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

function closeIdle(pools: Map<string, Pool>): void {
  const before = Date.now() - IDLE_POOL_MS
  for (const [key, poolKey] of pools) {
    if (poolKey.open > 0 || poolKey.usedAt > before) continue
    pools.delete(key)
    void poolKey.dispatcher.close()
  }
}
