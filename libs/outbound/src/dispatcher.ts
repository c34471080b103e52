import { Client, Pool, ProxyAgent, Socks5ProxyAgent, type Dispatcher } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { createConnector, createGuardedLookup, portOf, refuseLiteral } from './connector.ts'
import { Exchange } from './exchange.ts'
import { OutboundError } from './errors.ts'

export type Limits = {
  readonly connectTimeoutMs: number
  /** How long an idle connection is kept; shorter than what vendors keep. */
  readonly keepAliveMs: number
  /** A connection serves no new request after this, so that DNS changes are followed. */
  readonly connectionAgeMs: number
}

export type Route = {
  readonly origin: string
  /** http, https, socks5 or socks5h URL; absent: direct. */
  readonly proxy?: string | undefined
  readonly connections: number
}

/** A client that tells each exchange whether its connection was used before. */
class TrackedClient extends Client {
  #responses = 0

  constructor(origin: URL, options: Client.Options) {
    super(origin, options)
    this.on('connect', () => {
      this.#responses = 0
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.connection = this
    return super.dispatch(options, handler)
  }

  get isReused(): boolean {
    return this.#responses > 0
  }

  noteResponse(): void {
    this.#responses += 1
  }
}

/** Makes the undici dispatcher of one route. Our own timers replace undici's. */
export function createDispatcher(route: Route, guard: AddressGuard | undefined, limits: Limits): Dispatcher {
  const origin = parseOrigin(route.origin)
  const options = {
    connections: route.connections,
    pipelining: 1,
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMs,
    clientTtl: limits.connectionAgeMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  }
  if (route.proxy !== undefined && route.proxy !== '') return createProxy(route.proxy, origin, guard, { ...options, ...limits })
  return createPool(origin, { ...options, connect: createConnector(origin, guard, limits.connectTimeoutMs) })
}

function createPool(origin: string | URL, options: Pool.Options): Pool {
  return new Pool(origin, { ...options, factory: (url, clientOptions) => new TrackedClient(url, clientOptions) })
}

type ProxyOptions = Pool.Options & Pick<Limits, 'connectTimeoutMs'>

/** A proxy resolves names itself; what is judged here is the proxy's address and a target that is an address. */
function createProxy(
  proxy: string,
  target: URL,
  guard: AddressGuard | undefined,
  { connectTimeoutMs, ...options }: ProxyOptions,
): Dispatcher {
  const url = parseOrigin(proxy.replace(/^socks5h:/, 'socks5:'))
  const proxyPort = portOf(url)
  const refusal = guard && (refuseLiteral(url.hostname, proxyPort, guard) ?? refuseLiteral(target.hostname, portOf(target), guard))
  if (refusal !== undefined) throw refusal
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return new Socks5ProxyAgent(url, { ...options, connect: createConnector(url, guard, connectTimeoutMs) })
  }
  return new ProxyAgent({
    ...options,
    uri: url.href,
    connectTimeout: connectTimeoutMs,
    // undici spreads `proxyTls` into the connection to the proxy, for plain proxies as well.
    ...(guard === undefined ? {} : { proxyTls: { lookup: createGuardedLookup(guard, proxyPort) } }),
    factory: (origin, poolOptions) => createPool(origin, poolOptions),
  })
}

function parseOrigin(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new OutboundError('invalid', 'not a URL')
  if (!['http:', 'https:', 'socks5:', 'socks:'].includes(url.protocol))
    throw new OutboundError('invalid', `protocol ${url.protocol} is not served`)
  return url
}
