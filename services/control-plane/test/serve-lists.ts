import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { createSealer } from '@tollgate/config/sealing'
import { connectDb, type Db } from '@tollgate/db/connect'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { migrate } from '@tollgate/db/migrate'
import { serveApp } from '@tollgate/http/server'
import { createJobClient } from '@tollgate/jobs/client'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound } from '@tollgate/outbound/outbound'
import { connectRedis } from '@tollgate/redis/connect'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { seedLedger } from '@tollgate/testing/ledger-rows'
import { seedChannels, seedTokens } from '@tollgate/testing/list-rows'
import { startTestRedis } from '@tollgate/testing/redis'
import { createApp } from '../src/app.ts'
import type { Deps } from '../src/deps.ts'
import { createOptionReader } from '../src/option-reader.ts'
import { createKey } from '../src/resources/tokens/key.ts'
import { hashPassword } from '../src/sessions/passwords.ts'

/**
 * A control plane over large tables, as a process of its own (load-tests/ may not import us): starts a Postgres and a Redis, fills the
 * database unless the folder holds one from an earlier run, folds, serves. First line of standard input: an Order. First line of
 * JSON on standard output: where to ask and as whom. Ends with its input.
 */
type Order = {
  readonly rows: number
  readonly channels: number
  readonly tokens: number
  /** Where the database lives; removed at the end unless `keep`. */
  readonly data_dir: string
  readonly keep: boolean
}

const HOURS = 90 * 24
const USERS = 1000
const TOKEN_NAMES = 200
const RARE_ONE_IN = 100_000
const SHARDS = 64
const RESELLER = 'reseller'
const PASSWORD = 'a-long-password'
/** The same each time, so that a kept database can be opened again. */
const KEY = `t:${Buffer.alloc(32, 7).toString('base64url')}`
/** As on a machine of 2 to 4 GB. Without parallel workers, whose CPU time would be gone with them before it is read. */
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
  const order = JSON.parse(String((await lines.next()).value)) as Order // written by load-tests/lists, nobody else starts us
  const postgres = await startPostgres({
    dataDir: order.data_dir,
    binDir: '/var/lib/tollgate/test-bin',
    port: await findFreePort(),
    isDurable: false,
    flags: FLAGS.flatMap((flag) => ['-c', flag]),
  })
  const redis = await startTestRedis()
  const db = connectDb({ url: postgres.url, name: 'lists' })
  const server = await serve(db, redis.url)
  await fill(db, order, { postgres: postgres.url, api: server.url })
  const callers = {
    admin: await signIn(server.url, 'root'),
    user: await signIn(server.url, 'user-1'),
    reseller: await signIn(server.url, RESELLER),
  }
  tell({ url: server.url, callers, pids: [process.pid, postgres.pid] })
  for await (const line of { [Symbol.asyncIterator]: () => lines }) throw new Error(`not an order: ${line}`)
  await server.stop(1000)
  await db.destroy()
  await postgres.stop()
  await redis.stop()
  if (!order.keep) await rm(order.data_dir, { recursive: true, force: true })
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
  const deps: Deps = {
    env,
    db,
    redis: connectRedis(redisUrl, 'plain'),
    sealers: { channels: sealer, options: sealer },
    options: createOptionReader(db, sealer),
    jobs: createJobClient(redisUrl),
    outbound: createOutbound({ guard: createAddressGuard({ allow: [], ownPorts: [] }) }),
    log: { info: quiet, warn: quiet, error: (...parts) => void process.stderr.write(`${parts.map(String).join(' ')}\n`) },
    now: Date.now,
    started_at: Math.floor(Date.now() / 1000),
    version: '0.0.0-bench',
    setup_code: 'off',
  }
  return serveApp({ app: createApp(deps, { isDraining: false, findObstacle: async () => undefined }), host: '127.0.0.1', port: 0 })
}

async function fill(db: Db, { rows, channels, tokens }: Order, urls: { postgres: string; api: string }): Promise<void> {
  await migrate(db)
  await timed('log rows', async () => {
    if ((await db.selectFrom('logs').select('id').limit(1).execute()).length > 0) return
    const until = Math.floor(Date.now() / 1000)
    const names = { channels, tokenNames: TOKEN_NAMES, users: USERS }
    await seedLedger(urls.postgres, {
      rows,
      shards: SHARDS,
      until,
      hours: HOURS,
      ...names,
      isSkewed: true,
      rareOneIn: RARE_ONE_IN,
      isBare: true,
    })
  })
  await timed('channels and tokens', async () => {
    if ((await db.selectFrom('channels').select('id').limit(1).execute()).length > 0) return
    await seedChannels(urls.postgres, channels)
    const password_hash = await hashPassword(PASSWORD)
    await db.updateTable('users').set({ password_hash }).where('username', '=', 'user-1').execute()
    const made = { username: RESELLER, password_hash, shard: 0, created_at: 1 }
    const { id } = await db.insertInto('users').values(made).returning('id').executeTakeFirstOrThrow()
    await call(urls.api, 'POST', '/api/setup', { username: 'root', password: PASSWORD, confirmPassword: PASSWORD })
    const sealer = createSealer(KEY)
    await seedTokens(urls.postgres, { user_id: id, others: USERS, count: tokens, createKey: () => createKey(sealer) })
  })
  await timed('folds', async () => {
    const order = { now: Math.floor(Date.now() / 1000), limit: 10_000, signal: new AbortController().signal }
    let isDone = false
    while (!isDone) ({ isDone } = await rollupUsage(db, order))
  })
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const began = Date.now()
  await work()
  process.stderr.write(`${what}: ${((Date.now() - began) / 1000).toFixed(0)} s\n`)
}

async function call(url: string, method: string, path: string, body: object): Promise<Response> {
  const answer = await fetch(`${url}${path}`, { method, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Headers of a session. */
async function signIn(url: string, username: string): Promise<Record<string, string>> {
  const answer = await call(url, 'POST', '/api/user/login', { username, password: PASSWORD })
  const { data } = (await answer.json()) as { data: { id: number } } // the login answer, whose shape another test checks
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { cookie: cookie.join('; '), 'New-Api-User': String(data.id) }
}

const tell = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

await start()
