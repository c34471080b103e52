/** The variables of any service that name one of the gateway's own listeners or stores. */
type Known = {
  readonly DATABASE_URL?: string
  readonly DATABASE_REPLICA_URL?: string
  readonly LOG_STORE_URL?: string
  readonly REDIS_URL?: string
  readonly LEDGER_REDIS_URL?: string
  readonly CONTROL_PLANE_INTERNAL_URL?: string
  readonly CONSOLE_ORIGIN?: string
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string
  readonly RELAY_PORT?: number
  readonly CONTROL_PLANE_PORT?: number
  readonly INTERNAL_PORT?: number
  readonly WORKER_PORT?: number
  readonly METRICS_PORT?: number
  readonly OWN_ADDRESSES: readonly string[]
}

const POSTGRES_PORT = 5432
const CLICKHOUSE_PORT = 8123
const REDIS_PORT = 6379

/**
 * Our own listeners and stores as far as this service's environment names them, for the address guard. Stores and internal calls are
 * blocked on every private address, other listeners on the host that is named. A service that does not know Postgres blocks its usual port.
 */
export function ownAddresses(env: Known): string[] {
  const postgres = portsOf(env.DATABASE_URL, POSTGRES_PORT)
  const stores = [
    ...(postgres.length === 0 ? [POSTGRES_PORT] : postgres),
    ...portsOf(env.DATABASE_REPLICA_URL, POSTGRES_PORT),
    ...portsOf(env.LOG_STORE_URL, CLICKHOUSE_PORT),
    ...portsOf(env.REDIS_URL, REDIS_PORT),
    ...serversBehind(env.REDIS_URL),
    ...portsOf(env.LEDGER_REDIS_URL, REDIS_PORT),
    ...serversBehind(env.LEDGER_REDIS_URL),
    ...portsOf(env.CONTROL_PLANE_INTERNAL_URL),
    env.INTERNAL_PORT,
  ]
  const listeners = [env.RELAY_PORT, env.CONTROL_PLANE_PORT, env.WORKER_PORT, env.METRICS_PORT]
  const urls = [
    env.DATABASE_URL,
    env.DATABASE_REPLICA_URL,
    env.LOG_STORE_URL,
    env.REDIS_URL,
    env.LEDGER_REDIS_URL,
    env.CONTROL_PLANE_INTERNAL_URL,
    env.CONSOLE_ORIGIN,
    env.OTEL_EXPORTER_OTLP_ENDPOINT,
  ]
  return [
    ...env.OWN_ADDRESSES,
    ...stores.filter(isPort).map((port) => `*:${port}`),
    ...listeners.filter(isPort).map((port) => `localhost:${port}`),
    ...urls.flatMap(hostAndPort),
  ]
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': POSTGRES_PORT,
  'postgresql:': POSTGRES_PORT,
  'redis:': REDIS_PORT,
  'rediss:': REDIS_PORT,
  'redis+sentinel:': 26_379,
  'rediss+sentinel:': 26_379,
  'redis+cluster:': REDIS_PORT,
  'rediss+cluster:': REDIS_PORT,
}

function hostAndPort(text: string | undefined): string[] {
  return urlsOf(text).flatMap(({ hostname, port, protocol }) => {
    const known = port === '' ? DEFAULT_PORTS[protocol] : Number(port)
    return hostname === '' || known === undefined ? [] : [`${hostname}:${known}`]
  })
}

function portsOf(text: string | undefined, fallback?: number): (number | undefined)[] {
  return urlsOf(text).map(({ port, protocol }) => (port === '' ? (DEFAULT_PORTS[protocol] ?? fallback) : Number(port)))
}

/** An address of Postgres, Sentinel or a cluster may name several hosts: `scheme://user@one:1,two:2/name`. */
function urlsOf(text = ''): URL[] {
  const [, protocol, hosts] = /^([a-z+]+:\/\/)(?:[^@/]*@)?([^/?#]+,[^/?#]+)/.exec(text) ?? []
  const texts = protocol === undefined || hosts === undefined ? [text] : hosts.split(',').map((host) => protocol + host)
  return texts.flatMap((one) => URL.parse(one) ?? [])
}

/** Sentinel, and the nodes of a cluster, lead to servers that the address does not name. */
const serversBehind = (text = ''): number[] => (/^rediss?\+(sentinel|cluster):/.test(text) ? [REDIS_PORT] : [])

function isPort(port: number | undefined): port is number {
  return port !== undefined && port > 0
}
