import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCENARIOS, type Scenario } from '../scenarios/scenarios.ts'
import { responsePath } from '../vendor/response-spec.ts'
import { findFreePort } from '../../libs/servers/src/free-port.ts'
import { readLine, start, type Started } from './processes.ts'

/** Vendor and a Redis (AOF everysec) with accounts and channels; no control plane, worker or Postgres. */
export type Testbed = {
  readonly dir: string
  /** Multiplies rates and numbers of streams; 1 is the published form. */
  readonly load: number
  readonly vendorPort: number
  /** A relay's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Files with one key per line. */
  readonly keys: { readonly rich: string; readonly poor: string; readonly one: string }
  /** Processes of the load side except the generator. */
  readonly loadPids: readonly number[]
  /** Empties the usage streams between rounds, because no worker posts them: memory and AOF stay as in a running system. */
  trim(): Promise<void>
  stop(): Promise<void>
}

export type TestbedWithRedis = Testbed & { readonly redisPid: number }

export const ROOT = join(import.meta.dirname, '../..')
export const SHARDS = 64
/** Accounts whose wallet is too small for any request; their ids follow those of the others. */
export const POOR = 100
/** Channel types: the specification's table of vendors. */
export const CHANNEL_TYPE = { openai: 1, anthropic: 14, gemini: 24 } as const

type Seeded = { readonly env: Record<string, string>; readonly keys: string[]; readonly poor: string[] }

export async function openTestbed({ tokens, vendors, load }: { tokens: number; vendors: number; load: number }): Promise<TestbedWithRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const vendor = start({
    side: 'load',
    command: process.execPath,
    args: ['vendor/main.ts', '--processes', String(vendors)],
    cwd: LOAD_TESTS,
  })
  const { port: vendorPort, pids } = await readLine<{ port: number; pids: number[] }>(vendor)
  const redis = await startRedis(dir)
  const seeder = start({ side: 'load', command: process.execPath, args: ['services/relay/test/seed-bench.ts'], cwd: ROOT })
  const order = { redis: redis.url, shards: SHARDS, channels: channelsAt(vendorPort), tokens, poor: POOR, has_all_features: true }
  seeder.child.stdin?.write(`${JSON.stringify(order)}\n`)
  const seeded = await readLine<Seeded>(seeder)
  const keys = { rich: join(dir, 'rich'), poor: join(dir, 'poor'), one: join(dir, 'one') }
  await Promise.all([
    writeFile(keys.rich, seeded.keys.join('\n')),
    writeFile(keys.poor, seeded.poor.join('\n')),
    writeFile(keys.one, seeded.keys[0] ?? ''),
  ])
  return {
    dir,
    load,
    vendorPort,
    env: seeded.env,
    keys,
    loadPids: [...pids, redis.server.pid],
    redisPid: redis.server.pid,
    trim: async () => {
      seeder.child.stdin?.write('{"trim":true}\n')
      await readLine(seeder)
    },
    stop: async () => {
      seeder.child.stdin?.end()
      await Promise.all([seeder.stop(), vendor.stop(), redis.server.stop()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export const LOAD_TESTS = join(ROOT, 'load-tests')

/** One channel per scenario: the model's name selects it, its base URL specifies the simulator's response. */
function channelsAt(vendorPort: number): { type: number; base_url: string; models: string[] }[] {
  return Object.values<Scenario>(SCENARIOS).map(({ name, vendor, answer }) => ({
    type: CHANNEL_TYPE[vendor],
    base_url: `http://127.0.0.1:${vendorPort}${responsePath(answer)}`,
    models: [name],
  }))
}

export async function startRedis(dir: string): Promise<{ server: Started; url: string }> {
  const port = await findFreePort()
  const data = join(dir, 'redis')
  await mkdir(data)
  const flags = {
    port,
    bind: '127.0.0.1',
    dir: data,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    // A rewrite of the append-only file would distort the round it happens in.
    'auto-aof-rewrite-min-size': '8gb',
    logfile: join(data, 'redis.log'),
  }
  const server = start({
    side: 'load',
    command: redisBinary(),
    args: Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
  })
  server.child.stdout?.resume()
  return { server, url: `redis://127.0.0.1:${port}` }
}

/** The first of valkey-server and redis-server on the PATH. */
export function redisBinary(): string {
  const found = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)
  if (found === undefined) throw new Error('the bench needs valkey-server or redis-server on the PATH')
  return found
}
