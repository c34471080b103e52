import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { findFreePort } from '../../libs/servers/src/free-port.ts'
import { readLine, start, waitUntilReady, type Started } from './processes.ts'
import { ROOT } from './testbed.ts'

export type Account = { readonly id: number; readonly credited: number; readonly granted: number }
export type Written = { readonly written: number; readonly seconds: number; readonly lags: readonly number[] }
export type AccountTotals = {
  readonly spent: number
  readonly charged: number
  readonly rows: number
  readonly quota: number
  /** Number of events appended for all accounts, by Redis' counters. */
  readonly appended: number
}
export type Sizes = {
  readonly events: number
  readonly logs: number
  readonly keys: number
  readonly wal: number
  readonly streams: number
}
export type Verified = { readonly is_sound: boolean; readonly text: string }

/** Postgres on the load core with accounts, and the process that writes, counts and verifies: services/worker/test/bench-ledger.ts. */
export type LedgerDatabase = {
  readonly database: string
  /** Postmaster. */
  readonly pid: number
  /** Pid of the process that executes the methods below; its CPU counts as load. */
  readonly writer: number
  write(requests: number, rate: number): Promise<Written>
  waitUntilUnposted(most: number): Promise<number>
  readTotals(account: number): Promise<AccountTotals>
  sizes(): Promise<Sizes>
  verify(): Promise<Verified>
  stop(): Promise<void>
}

type Setup = {
  readonly redis: string
  readonly shards: number
  readonly dir: string
  readonly accounts: readonly Account[]
  readonly is_warm: boolean
}

export async function openLedgerDatabase(setup: Setup): Promise<LedgerDatabase> {
  const server = start({ side: 'load', command: process.execPath, args: ['services/worker/test/bench-ledger.ts'], cwd: ROOT })
  const request = async <T>(command: unknown): Promise<T> => {
    server.child.stdin?.write(`${JSON.stringify(command)}\n`)
    return await readLine<T>(server)
  }
  const { database, pid } = await request<{ database: string; pid: number }>(setup)
  return {
    database,
    pid,
    writer: server.pid,
    write: (requests, rate) => request({ write: { requests, rate } }),
    waitUntilUnposted: async (most) => (await request<{ unposted: number }>({ until: most })).unposted,
    readTotals: (account) => request({ booked: account }),
    sizes: () => request({ sizes: true }),
    verify: () => request({ verify: true }),
    stop: async () => {
      const ended = once(server.child, 'exit')
      server.child.stdin?.end()
      await ended
    },
  }
}

type WorkerOptions = {
  readonly database: string
  readonly redis: string
  readonly shards: number
  readonly flags?: readonly string[]
  readonly postingGroups?: string
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the worker on the gateway's core. */
export async function startWorker({ database, redis, shards, flags = [], postingGroups = '4', env = {} }: WorkerOptions): Promise<Started> {
  const port = await findFreePort()
  const key = (): string => `k1:${randomBytes(32).toString('base64url')}`
  const worker = start({
    side: 'gateway',
    command: process.execPath,
    args: [...flags, 'services/worker/src/main.ts'],
    cwd: ROOT,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database,
      REDIS_URL: redis,
      SHARDS: String(shards),
      POSTING_GROUPS: postingGroups,
      KEY_CHANNELS: key(),
      KEY_OPTIONS: key(),
      INTERNAL_SECRETS: randomBytes(32).toString('hex'),
      WORKER_PORT: String(port),
      UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
      ...env,
    },
  })
  worker.child.stdout?.pipe(process.stderr)
  await waitUntilReady(port, '/readyz')
  return worker
}
