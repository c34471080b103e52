import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import type { Names } from './names/names.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'socks5:': 1080, 'socks:': 1080 }

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void
export type GuardedLookup = (hostname: string, options: LookupOptions, done: LookupDone) => void

/** How names become addresses, and which of them may be reached. */
export type Reach = { readonly guard: AddressGuard | undefined; readonly names: Names }
type Checks = Reach & { readonly connectTimeoutMs: number }

/**
 * Connects to one origin. Every new connection resolves DNS again, and the guard checks each address before a packet is sent. HTTP/1.1
 * only, so that one connection carries one request at a time.
 */
export function createConnector(origin: URL, { guard, names, connectTimeoutMs }: Checks): buildConnector.connector {
  const port = portOf(origin)
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // undici passes unknown options to net.connect and tls.connect, whose types allow `lookup`.
    ...(guard === undefined ? {} : { lookup: createGuardedLookup({ guard, names }, port) }),
  })
  if (guard === undefined) return connect
  return (options, done) => {
    const refusal = refuseLiteral(options.hostname, port, guard)
    if (refusal === undefined) connect(options, done)
    // undici expects an asynchronous callback: it never reports a failure from a synchronous one.
    else setImmediate(() => done(refusal, null))
  }
}

/** Looks a name up, without the addresses that the guard blocks; an error if none is left. */
export function createGuardedLookup(
  { guard, names }: { readonly guard: AddressGuard; readonly names: Names },
  port: number,
): GuardedLookup {
  return (hostname, options, done) => {
    names.resolve(hostname).then(
      (all) => {
        const found = all.filter(({ family }) => isFamily(options.family, family))
        const allowed = found.filter(({ address }) => guard.refuse(address, port) === undefined)
        const [first] = allowed
        if (first === undefined) return done(blocked(hostname, guard.refuse(found[0]?.address ?? '', port)), [])
        if (options.all === true) return done(null, allowed)
        done(null, first.address, first.family)
      },
      (error: unknown) => done(toOutboundError(error), []),
    )
  }
}

function isFamily(wanted: LookupOptions['family'], family: number): boolean {
  return wanted === undefined || wanted === 0 || wanted === family || wanted === `IPv${family}`
}

/** Checks a literal address, which is never resolved by DNS. */
export function refuseLiteral(hostname: string, port: number, guard: AddressGuard): OutboundError | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(bare) === 0) return undefined
  const reason = guard.refuse(bare, port)
  return reason === undefined ? undefined : blocked(hostname, reason)
}

/** Checks the target of a proxy, which resolves the name itself. */
export function refuseProxied(target: URL, guard: AddressGuard): OutboundError | undefined {
  const { hostname } = target
  const port = portOf(target)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return refuseLiteral(hostname, port, guard)
  const reason = guard.refuseName(hostname, port)
  return reason === undefined ? undefined : blocked(hostname, reason)
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return DEFAULT_PORTS[url.protocol] ?? 80
}

function blocked(hostname: string, reason: string | undefined): OutboundError {
  return new OutboundError('blocked', `${hostname} is not reachable from here: ${reason ?? 'no address'}`)
}
