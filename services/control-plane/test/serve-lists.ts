import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { createSealer, unsealOption } from '@tollgate/config/sealing'
import { connectDb, type Db } from '@tollgate/db/connect'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { withStatements } from '@tollgate/db/statement-limits'
import { migrate } from '@tollgate/db/migrate'
import { serveApp } from '@tollgate/http/server'
import { createJobClient } from '@tollgate/jobs/client'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound } from '@tollgate/outbound/outbound'
import { connectRedis } from '@tollgate/redis/connect'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { seedLedger } from '@tollgate/testing/ledger-rows'
import { seedChannels, seedMoney, seedTasks, seedTokens, seedUsers } from '@tollgate/testing/list-rows'
import { startTestRedis } from '@tollgate/testing/redis'
import { startLogStore } from './lists-log-store.ts'
import { createBudgets } from '../src/budgets.ts'
import { createApp } from '../src/app.ts'
import type { Deps } from '../src/deps.ts'
import { createOptionReader } from '@tollgate/db/option-reader'
import { createCode } from '../src/resources/redemptions/code.ts'
import { createKey } from '../src/resources/tokens/key.ts'
import { hashPassword } from '../src/authentication/passwords.ts'

/**
 * Serves a control plane over large tables; a program, because load-tests/ must not import services. Starts Postgres and Redis, fills the
 * database unless the folder has one from an earlier run, runs the usage rollup and serves. The first line of standard input is Settings as
 * JSON; the first line of standard output has the address and the sessions. Ends when its input closes.
 */
type Settings = {
  readonly rows: number
  readonly channels: number
  readonly tokens: number
  /** Folder of the database; deleted at the end unless `keep`. */
  readonly data_dir: string
  readonly keep: boolean
  /** Keeps the log rows in a ClickHouse instead, and makes no other large tables. */
  readonly hasLogStore: boolean
}

const HOURS = 90 * 24
const USERS = 1000
const TOKEN_NAMES = 200
const MONEY_ROWS = 100_000
const MORE_USERS = 500_000
const TASKS = 1_000_000
const RARE_ONE_IN = 100_000
const SHARDS = 64
const RESELLER = 'reseller'
const PASSWORD = 'a-long-password'
/** Constant, so that a kept database can be opened again. */
const KEY = `t:${Buffer.alloc(32, 7).toString('base64url')}`
/** Settings for a machine of 2 to 4 GB. No parallel workers: their CPU time is lost when they exit before it is read. */
const FLAGS = [
  'shared_buffers=768MB',
  'work_mem=16MB',
  'maintenance_work_mem=256MB',
  'max_wal_size=4GB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_parallel_workers_per_gather=0',
]

async function start(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const settings = JSON.parse(String((await lines.next()).value)) as Settings // written by load-tests/lists, the only caller
  const postgres = await startPostgres({
    dataDir: settings.data_dir,
    binDir: '/var/lib/tollgate/test-bin',
    port: await findFreePort(),
    isDurable: false,
    flags: FLAGS.flatMap((flag) => ['-c', flag]),
  })
  const redis = await startTestRedis()
  const db = connectDb({ url: postgres.url, name: 'lists' })
  const server = await serve(db, redis.url)
  const log = settings.hasLogStore
    ? await startLogStore(db, planOf(settings), { postgres: postgres.url, kept: keptStore(settings) })
    : undefined
  await fill(db, settings, { postgres: postgres.url, api: server.url })
  const stored = await log?.describe()
  const callers = {
    admin: await signIn(server.url, 'root'),
    user: await signIn(server.url, 'user-1'),
    reseller: await signIn(server.url, RESELLER),
  }
  const pids = [process.pid, postgres.pid, ...(log === undefined ? [] : [log.pid])]
  writeLine({ url: server.url, callers, pids, ...(stored === undefined ? {} : { stored }) })
  for await (const line of { [Symbol.asyncIterator]: () => lines }) throw new Error(`unexpected input: ${line}`)
  await server.stop(1000)
  await log?.stop()
  await db.destroy()
  await postgres.stop()
  await redis.stop()
  if (!settings.keep) await rm(settings.data_dir, { recursive: true, force: true })
  process.exit(0)
}

async function serve(db: Db, redisUrl: string) {
  const env = parseEnv(ControlPlaneEnv, {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1/unused',
    REDIS_URL: redisUrl,
    KEY_CHANNELS: KEY,
    KEY_OPTIONS: KEY,
    INTERNAL_SECRETS: 'x'.repeat(64),
    SETUP_CODE: 'off',
    SHARDS: String(SHARDS),
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  })
  const sealer = createSealer(KEY)
  const quiet = (): void => undefined
  const redis = connectRedis(redisUrl, 'plain')
  const deps: Deps = {
    env,
    db,
    reads: db,
    bulk: db,
    budgets: createBudgets(),
    redis,
    ledgerRedis: redis,
    sealers: { channels: sealer, options: sealer },
    options: createOptionReader(db, unsealOption(sealer)),
    jobs: createJobClient(redisUrl),
    outbound: createOutbound({ guard: createAddressGuard({ allow: [], own: [] }) }),
    inner: createOutbound(),
    log: { info: quiet, warn: quiet, error: (...parts) => void process.stderr.write(`${parts.map(String).join(' ')}\n`) },
    now: Date.now,
    stopping: new AbortController().signal,
    started_at: Math.floor(Date.now() / 1000),
    version: '0.0.0-bench',
    setup_code: 'off',
  }
  return serveApp({ app: createApp(deps, { isDraining: false, findObstacle: async () => undefined }), host: '127.0.0.1', port: 0 })
}

const keptStore = ({ keep, data_dir }: Settings): string | undefined => (keep ? `${data_dir}-clickhouse` : undefined)

const planOf = ({ rows, channels }: Settings) => ({
  rows,
  channels,
  shards: SHARDS,
  tokenNames: TOKEN_NAMES,
  users: USERS,
  until: Math.floor(Date.now() / 1000),
  hours: HOURS,
  rareOneIn: RARE_ONE_IN,
})

async function fill(db: Db, settings: Settings, urls: { postgres: string; api: string }): Promise<void> {
  const { channels, tokens, hasLogStore } = settings
  if (!hasLogStore) await fillLogs(db, settings, urls.postgres)
  await timed('channels and tokens', async () => {
    if ((await db.selectFrom('channels').select('id').limit(1).execute()).length > 0) return
    await seedChannels(urls.postgres, channels)
    const password_hash = await hashPassword(PASSWORD)
    await db.updateTable('users').set({ password_hash }).where('username', '=', 'user-1').execute()
    const made = { username: RESELLER, password_hash, shard: 0, created_at: 1 }
    const { id } = await db.insertInto('users').values(made).returning('id').executeTakeFirstOrThrow()
    await call(urls.api, 'POST', '/api/setup', { username: 'root', password: PASSWORD, confirmPassword: PASSWORD })
    const sealer = createSealer(KEY)
    await seedTokens(urls.postgres, { user_id: id, others: USERS, count: hasLogStore ? USERS : tokens, createKey: () => createKey(sealer) })
  })
  if (!hasLogStore) await fillOtherLists(db, urls.postgres)
  await timed('usage rollup', async () => {
    const limits = { now: Math.floor(Date.now() / 1000), limit: 10_000, signal: new AbortController().signal }
    let isDone = false
    while (!isDone) ({ isDone } = await withStatements('batch', () => rollupUsage(db, limits)))
  })
}

async function fillLogs(db: Db, settings: Settings, url: string): Promise<void> {
  await migrate(db)
  await timed('log rows', async () => {
    if ((await db.selectFrom('logs').select('id').limit(1).execute()).length > 0) return
    await seedLedger(url, { ...planOf(settings), isSkewed: true, isBare: true })
  })
}

async function fillOtherLists(db: Db, url: string): Promise<void> {
  await timed('orders, codes and wallet entries', async () => {
    if ((await db.selectFrom('payment_orders').select('id').limit(1).execute()).length > 0) return
    const sealer = createSealer(KEY)
    await seedMoney(url, { count: MONEY_ROWS, users: USERS, createCode: () => createCode(sealer) })
  })
  await timed('more users, and tasks', async () => {
    if ((await db.selectFrom('tasks').select('id').limit(1).execute()).length > 0) return
    await seedUsers(url, MORE_USERS)
    await seedTasks(url, { count: TASKS, until: Date.now() })
  })
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const began = Date.now()
  await work()
  process.stderr.write(`${what}: ${((Date.now() - began) / 1000).toFixed(0)} s\n`)
}

async function call(url: string, method: string, path: string, body: object): Promise<Response> {
  const answer = await fetch(`${url}${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Signs in and returns the headers of the session. */
async function signIn(url: string, username: string): Promise<Record<string, string>> {
  const answer = await call(url, 'POST', '/api/user/login', { username, password: PASSWORD })
  const { data } = (await answer.json()) as { data: { id: number } } // the login answer, whose shape another test checks
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { cookie: cookie.join('; '), 'New-Api-User': String(data.id) }
}

const writeLine = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

await start()
