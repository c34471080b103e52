import type { AddressGuard } from './address-guard.ts'
import type { CallDispatcher } from './connection-pool.ts'
import { createDispatcher, type Limits, type Route } from './dispatcher.ts'
import { toOutboundError } from './errors.ts'
import { InFlightCall, type AnswerSink } from './in-flight-call.ts'
import { toReleasingBody } from './releasing-body.ts'
import { openRawConnection, type RawConnectionInput } from './raw-connection.ts'
import { createOperatorNames, type Names } from './names/names.ts'
import { request, type OutboundAnswer, type OutboundRequest } from './request.ts'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Owner } from '@tollgate/shares/budget'

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
  /** Calls with the same key, origin and proxy share a pool of connections. Example: `channel-7`. */
  readonly poolKey?: string | undefined
  /** Most connections of the pool. */
  readonly connections?: number | undefined
  /** The user who gave the address: its look-up counts in the share of that user. */
  readonly owner?: Owner | undefined
}

/** Opens every outgoing HTTP connection of the gateway. Redirects are never followed. */
export type Outbound = {
  /** Sends a call and streams the response to the sink. Never throws: failures go to the sink. */
  dispatch(call: OutboundCall, sink: AnswerSink): InFlightCall
  /** The same on a new connection. */
  dispatchFresh(call: OutboundCall, sink: AnswerSink): InFlightCall
  /** Sends a call and collects its response; throws OutboundError. */
  request(input: OutboundRequest): Promise<OutboundAnswer>
  /** Opens a raw connection for other protocols, checked by the same guard; throws OutboundError. */
  connect(input: RawConnectionInput): Promise<Socket>
  close(): Promise<void>
}

type OutboundOptions = Partial<Limits> & {
  /** Sent with calls that have no `user-agent` of their own; some vendors refuse calls without one. */
  readonly userAgent?: string
  /** Omit only if every address comes from the operator's environment. */
  readonly guard?: AddressGuard | undefined
  /** Default: names that operators give. Not used without a guard. */
  readonly names?: Names
  readonly connections?: number
}

type Pool = { readonly dispatcher: CallDispatcher; readonly connections: number; usedAt: number; open: number }

const IDLE_POOL_MS = 300_000

/** Keeps a pool per key, origin and proxy, and closes pools that are idle for five minutes. */
export function createOutbound({ guard, names, userAgent, connections = 256, ...limits }: OutboundOptions = {}): Outbound {
  const reach = { guard, names: names ?? createOperatorNames() }
  const bounds: Limits = { connectTimeoutMs: 10_000, keepAliveMs: 20_000, connectionAgeMs: 300_000, ...limits }
  const pools = new Map<string, Pool>()
  const sweep = setInterval(() => closeIdle(pools), 60_000)
  sweep.unref()

  const routeOf = (call: OutboundCall): Route => ({ origin: call.origin, proxy: call.proxy, connections: call.connections ?? connections })
  const named = (call: OutboundCall) => (userAgent === undefined || hasUserAgent(call.headers) ? call : withUserAgent(call, userAgent))
  const poolOf = (call: OutboundCall): Pool => {
    const key = `${call.poolKey ?? ''} ${call.origin} ${call.proxy ?? ''} ${call.connections ?? ''}`
    const known = pools.get(key)
    if (known !== undefined) return known
    const route = routeOf(call)
    const pool = { dispatcher: createDispatcher(route, reach, bounds), connections: route.connections, usedAt: Date.now(), open: 0 }
    pools.set(key, pool)
    return pool
  }

  const outbound: Outbound = {
    dispatch: (call, sink) => start(sink, (counted) => send(poolOf(call), named(call), { sink: counted, names: reach.names })),
    dispatchFresh: (call, sink) =>
      start(sink, (counted) => {
        const dispatcher = createDispatcher({ ...routeOf(call), connections: 1 }, reach, bounds)
        const pool = { dispatcher, connections: 1, usedAt: Date.now(), open: 0 }
        return send(pool, named(call), { sink: closingAfter(counted, dispatcher), names: reach.names })
      }),
    request: (input) => request(outbound, input),
    connect: (input) => openRawConnection(input, { ...reach, connectTimeoutMs: bounds.connectTimeoutMs }),
    close: async () => {
      clearInterval(sweep)
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map(({ dispatcher }) => dispatcher.destroy()))
    },
  }
  return outbound
}

function hasUserAgent(headers: readonly string[]): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (name.length === 'user-agent'.length && name.toLowerCase() === 'user-agent') return true
  }
  return false
}

const withUserAgent = (call: OutboundCall, userAgent: string): OutboundCall => ({
  ...call,
  headers: [...call.headers, 'user-agent', userAgent],
})

/** Errors of creating the route (an invalid URL, a blocked proxy) reach the sink asynchronously, like any other. */
function start(sink: AnswerSink, begin: (sink: AnswerSink) => InFlightCall): InFlightCall {
  try {
    return begin(sink)
  } catch (error) {
    const inFlight = new InFlightCall(sink)
    queueMicrotask(() => inFlight.abort(toOutboundError(error)))
    return inFlight
  }
}

function send(pool: Pool, call: OutboundCall, { sink, names }: { readonly sink: AnswerSink; readonly names: Names }): InFlightCall {
  pool.open += 1
  const inFlight = new InFlightCall(sink, () => finish(pool))
  // Timeouts and the connection limit are repeated here: undici's SOCKS agent creates its pools from the options of a request.
  const options = {
    origin: call.origin,
    path: call.path,
    method: call.method,
    ...contentOf(call),
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: pool.connections,
  }
  const begin = () => {
    try {
      pool.dispatcher.dispatch(options, inFlight)
    } catch (error) {
      // undici throws synchronously for invalid input, such as a header with a line break.
      queueMicrotask(() => inFlight.abort(toOutboundError(error)))
    }
  }
  if (call.owner === undefined || (call.proxy ?? '') !== '') begin()
  // The connection, which knows no user, then finds the answer in the cache.
  else
    names.resolve(new URL(call.origin).hostname, { owner: call.owner, isWanted: () => !inFlight.isOver }).then(
      () => (inFlight.isOver ? undefined : begin()),
      (error: unknown) => inFlight.abort(toOutboundError(error)),
    )
  return inFlight
}

/** A body that is passed on piece by piece needs an explicit `content-length`. */
function contentOf({ headers, body }: OutboundCall) {
  if (!Buffer.isBuffer(body)) return { headers: [...headers], body: body ?? null }
  const passing = toReleasingBody(body)
  return { headers: Buffer.isBuffer(passing) ? [...headers] : [...headers, 'content-length', String(body.length)], body: passing }
}

function finish(pool: Pool): void {
  pool.open -= 1
  pool.usedAt = Date.now()
}

function closingAfter(sink: AnswerSink, dispatcher: CallDispatcher): AnswerSink {
  const close = () => void dispatcher.destroy().catch(() => undefined) // already closed
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
  for (const [key, pool] of pools) {
    if (pool.open > 0 || pool.usedAt > before) continue
    pools.delete(key)
    void pool.dispatcher.close()
  }
}
