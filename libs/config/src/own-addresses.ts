/** The variables of any service that name one of the gateway's own listeners or stores. */
type Known = {
  readonly DATABASE_URL?: string
  readonly DATABASE_REPLICA_URL?: string
  readonly REDIS_URL?: string
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
const REDIS_PORT = 6379

/**
 * Our own listeners and stores as far as this service's environment names them, for the address guard. Stores and internal calls are
 * blocked on every private address, other listeners on the host that is named. A service that does not know Postgres blocks its usual port.
 */
export function ownAddresses(env: Known): string[] {
  const stores = [
    portOf(env.DATABASE_URL, POSTGRES_PORT) ?? POSTGRES_PORT,
    portOf(env.DATABASE_REPLICA_URL, POSTGRES_PORT),
    portOf(env.REDIS_URL, REDIS_PORT),
    portOf(env.CONTROL_PLANE_INTERNAL_URL),
    env.INTERNAL_PORT,
  ]
  const listeners = [env.RELAY_PORT, env.CONTROL_PLANE_PORT, env.WORKER_PORT, env.METRICS_PORT]
  const urls = [
    env.DATABASE_URL,
    env.DATABASE_REPLICA_URL,
    env.REDIS_URL,
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
}

function hostAndPort(text: string | undefined): string[] {
  const url = URL.parse(text ?? '')
  if (url === null || url.hostname === '') return []
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port)
  return port === undefined ? [] : [`${url.hostname}:${port}`]
}

function portOf(text: string | undefined, fallback?: number): number | undefined {
  const url = URL.parse(text ?? '')
  if (url === null) return undefined
  return url.port === '' ? (fallback ?? DEFAULT_PORTS[url.protocol]) : Number(url.port)
}

function isPort(port: number | undefined): port is number {
  return port !== undefined && port > 0
}
