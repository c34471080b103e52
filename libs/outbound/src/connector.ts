import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { OutboundError } from './errors.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'socks5:': 1080, 'socks:': 1080 }

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void
export type GuardedLookup = (hostname: string, options: LookupOptions, done: LookupDone) => void

/**
 * Connects to one origin. Every new connection asks DNS again, and each answer is judged before a packet leaves; HTTP/1.1 only,
 * so that one connection carries one request at a time.
 */
export function createConnector(origin: URL, guard: AddressGuard | undefined, connectTimeoutMs: number): buildConnector.connector {
  const port = portOf(origin)
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // undici hands unknown options on to net.connect and tls.connect, whose types allow `lookup`.
    ...(guard === undefined ? {} : { lookup: createGuardedLookup(guard, port) }),
  })
  if (guard === undefined) return connect
  return (options, done) => {
    const refusal = refuseLiteral(options.hostname, port, guard)
    if (refusal === undefined) connect(options, done)
    // undici counts on an answer in a later turn: told at once, it never reports the failure.
    else setImmediate(() => done(refusal, null))
  }
}

/** dns.lookup that leaves out what the guard refuses; an error when nothing is left. */
export function createGuardedLookup(guard: AddressGuard, port: number): GuardedLookup {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      const open = found.filter(({ address }) => guard.refuse(address, port) === undefined)
      const [first] = open
      if (first === undefined) return done(blocked(hostname, guard.refuse(found[0]?.address ?? '', port)), [])
      if (options.all === true) return done(null, open)
      done(null, first.address, first.family)
    })
  }
}

/** An address written out never goes through DNS, so it is judged here. */
export function refuseLiteral(hostname: string, port: number, guard: AddressGuard): OutboundError | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(bare) === 0) return undefined
  const reason = guard.refuse(bare, port)
  return reason === undefined ? undefined : blocked(hostname, reason)
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return DEFAULT_PORTS[url.protocol] ?? 80
}

function blocked(hostname: string, reason: string | undefined): OutboundError {
  return new OutboundError('blocked', `${hostname} is not reachable from here: ${reason ?? 'no address'}`)
}
