import { Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
import { ConnectionPool, TrackedClient, type CallDispatcher } from './connection-pool.ts'
import { createConnector, createGuardedLookup, portOf, refuseLiteral, refuseProxied, type Reach } from './connector.ts'
import { OutboundError } from './errors.ts'

export type Limits = {
  readonly connectTimeoutMs: number
  /** How long an idle connection is kept; shorter than vendors' own keep-alive. */
  readonly keepAliveMs: number
  /** Age after which a connection takes no new requests, so that DNS changes take effect. */
  readonly connectionAgeMs: number
}

export type Route = {
  readonly origin: string
  /** http, https, socks5 or socks5h URL; absent: direct. */
  readonly proxy?: string | undefined
  readonly connections: number
}

/** Creates the dispatcher of one route. undici's timeouts are off, because the caller sets its own. */
export function createDispatcher(route: Route, reach: Reach, limits: Limits): CallDispatcher {
  const origin = parseOrigin(route.origin)
  const options = {
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  }
  const { connections } = route
  const { connectTimeoutMs, connectionAgeMs } = limits
  if (route.proxy === undefined || route.proxy === '')
    return new ConnectionPool(origin, {
      ...options,
      connections,
      connectionAgeMs,
      connect: createConnector(origin, { ...reach, connectTimeoutMs }),
    })
  return createProxy(route.proxy, origin, reach, {
    ...options,
    connections,
    pipelining: 1,
    clientTtl: connectionAgeMs,
    connectTimeoutMs,
  })
}

type ProxyOptions = Pool.Options & Pick<Limits, 'connectTimeoutMs'>

/** A proxy resolves names itself, so the guard checks the proxy's address, and the target's name or literal address. */
function createProxy(proxy: string, target: URL, reach: Reach, { connectTimeoutMs, ...options }: ProxyOptions): CallDispatcher {
  const { guard, names } = reach
  const url = parseOrigin(proxy.replace(/^socks5h:/, 'socks5:'))
  const proxyPort = portOf(url)
  const refusal = guard && (refuseLiteral(url.hostname, proxyPort, guard) ?? refuseProxied(target, guard))
  if (refusal !== undefined) throw refusal
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return new Socks5ProxyAgent(url, { ...options, connect: createConnector(url, { ...reach, connectTimeoutMs }) })
  }
  return new ProxyAgent({
    ...options,
    uri: url.href,
    connectTimeout: connectTimeoutMs,
    // undici applies `proxyTls` to connections to plain HTTP proxies as well.
    ...(guard === undefined ? {} : { proxyTls: { lookup: createGuardedLookup({ guard, names }, proxyPort) } }),
    factory: (origin, poolOptions) => new Pool(origin, { ...poolOptions, factory: (url, given) => new TrackedClient(url, given) }),
  })
}

function parseOrigin(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new OutboundError('invalid', 'not a URL')
  if (!['http:', 'https:', 'socks5:', 'socks:'].includes(url.protocol))
    throw new OutboundError('invalid', `protocol ${url.protocol} is not supported`)
  return url
}
