import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { findFreePort } from '@tollgate/servers/free-port'
import { hasEnded, spawnDetached, stopProcess } from '@tollgate/servers/local-process'
import { isReady } from '../support/is-ready.ts'
import { startInternalAddress } from './internal-address.ts'

const READY_WITHIN_MS = 90_000
const STOP_WITHIN_MS = 90_000
/** A balancer takes an instance out this long after it began to stop; DRAIN_GRACE is longer. */
const NOTICED_AFTER_MS = 1000

export type Env = Readonly<Record<string, string>>
type Kind = 'control-plane' | 'worker' | 'relay'

/** A place for one instance, with its ports: an instance of another version takes over the place, as in a restarted container. */
export type Place = {
  readonly name: string
  readonly kind: Kind
  readonly url: string
  /** Where relays call a control plane; 0 for other services. */
  readonly internalPort: number
  readonly env: Env
  isServing: boolean
  stop(): Promise<void>
}

export type Fleet = { readonly planes: readonly Place[]; readonly worker: Place; readonly relays: readonly Place[]; close(): void }

/** Variables that every service has; the keys are new. */
export function createEnv(urls: { readonly postgres: string; readonly redis: string }): Env {
  return {
    LOG_LEVEL: 'warn',
    DATABASE_URL: urls.postgres,
    REDIS_URL: urls.redis,
    KEY_CHANNELS: `t1:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `t1:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(32).toString('hex'),
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    SETUP_CODE: 'off',
    DRAIN_GRACE: '2',
  }
}

/** Two control planes, a worker and two relays, none of them started. */
export async function planFleet(env: Env, folder: string): Promise<Fleet> {
  const planes = [await planPlace('control-plane', 1, env), await planPlace('control-plane', 2, env)]
  const internal = await startInternalAddress(() => planes)
  const relayOf = (number: number): Promise<Place> =>
    planPlace('relay', number, {
      ...env,
      CONTROL_PLANE_INTERNAL_URL: internal.url,
      RELAY_STATE_DIR: join(folder, `relay-${number}`),
    })
  const [worker, ...relays] = [await planPlace('worker', 1, env), await relayOf(1), await relayOf(2)]
  return { planes, worker, relays, close: internal.stop }
}

async function planPlace(kind: Kind, number: number, env: Env): Promise<Place> {
  const port = await findFreePort()
  const internalPort = kind === 'control-plane' ? await findFreePort() : 0
  const name = kind.toUpperCase().replace('-', '_')
  return {
    name: kind === 'worker' ? kind : `${kind} ${number}`,
    kind,
    url: `http://127.0.0.1:${port}`,
    internalPort,
    env: {
      ...env,
      [`${name}_PORT`]: String(port),
      [`${name}_HOST`]: '127.0.0.1',
      ...(internalPort > 0 && { INTERNAL_PORT: String(internalPort) }),
    },
    isServing: false,
    stop: async () => undefined,
  }
}

export const placesOf = ({ planes, worker, relays }: Fleet): readonly Place[] => [...planes, worker, ...relays]

/** Starts the version in `root` at this place and waits until it is ready. */
export async function startAt(place: Place, root: string, logDir: string): Promise<void> {
  await mkdir(logDir, { recursive: true })
  const logFile = join(logDir, `${place.name.replace(' ', '-')}-${Date.now()}.log`)
  const main = join(root, `services/${place.kind}/src/main.ts`)
  const child = spawnDetached({ command: process.execPath, args: [main], env: inheritedEnv(place.env), cwd: root, logFile })
  place.stop = async () => {
    const noticed = setTimeout(() => (place.isServing = false), NOTICED_AFTER_MS)
    await stopProcess(child, 'SIGTERM', STOP_WITHIN_MS)
    clearTimeout(noticed)
    place.isServing = false
    place.stop = async () => undefined
    if (child.exitCode !== 0) throw new Error(`${place.name} ended with ${child.exitCode ?? child.signalCode}; see ${logFile}`)
  }
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await isReady(place.url))) {
    if (hasEnded(child) || Date.now() > deadline) throw new Error(`${place.name} of ${root} did not become ready; see ${logFile}`)
    await wait(100)
  }
  place.isServing = true
}

/** A place that takes requests, as a balancer chooses it. */
export function chooseOf(places: readonly Place[]): string {
  const serving = places.filter(({ isServing }) => isServing)
  return serving[Math.floor(Math.random() * serving.length)]?.url ?? ''
}
