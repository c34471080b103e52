import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { connectDb, type Db } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { createLedger } from '@tollgate/ledger/client/ledger'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { createLogger } from '@tollgate/telemetry/logger'
import { noTelemetry } from '@tollgate/telemetry/otel'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { runRecovery } from '../src/recovery/recovery-loop.ts'
import { UNKNOWN_STATE } from '../src/telemetry/ledger-view.ts'
import { createObserver } from '../src/telemetry/observe.ts'
import { createOutageLog } from '../src/telemetry/outage-log.ts'
import { verifyLedger } from '../src/verify/verify.ts'
import { countAppended, countUnposted, writeRequests } from './bench-load.ts'
import { readSizes } from './bench-sizes.ts'

/**
 * The system of record of a load test, as a process of its own because load-tests/ must not import services: starts a Postgres with
 * accounts, writes requests, counts unposted events and verifies.
 *
 * Standard input is one JSON object per line: first an Order, then any number of Commands. Standard output is one line for each: the
 * address of Postgres, then the answers. The process and its Postgres stop at the end of the input.
 */
type Order = {
  readonly redis: string
  readonly shards: number
  /** Folder of this run. As root, Postgres' data is in /var/tmp, which its own user can read. */
  readonly dir: string
  readonly accounts: readonly { readonly id: number; readonly credited: number; readonly granted: number }[]
  /** Opens the fence and loads the accounts into Redis; false: both is already done. */
  readonly is_warm: boolean
}

type Command =
  /** Writes requests through the ledger scripts at this rate per second; 0: as fast as possible. */
  | { readonly write: { readonly requests: number; readonly rate: number } }
  /** Answers when at most this many events are unposted. */
  | { readonly until: number }
  /** Reads what is booked on this account. */
  | { readonly booked: number }
  | { readonly sizes: true }
  | { readonly verify: true }

const POLL_MS = 50
const BATCH = 500

async function start(): Promise<void> {
  // Ctrl-C reaches the whole process group: the parent ends, so the input ends, and Postgres is stopped gracefully.
  process.on('SIGINT', () => undefined)
  process.stdout.on('error', () => undefined)
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const first = await lines.next()
  const order = JSON.parse(String(first.value)) as Order // load-tests/bench is the only writer
  const isRoot = process.getuid?.() === 0
  const dataDir = join(isRoot ? '/var/tmp' : order.dir, `tollgate-bench-pg-${randomBytes(6).toString('hex')}`)
  const binDir = isRoot ? '/var/lib/tollgate/test-bin' : join(order.dir, 'pg-bin')
  const postgres = await startPostgres({ dataDir, binDir, port: await findFreePort(), isDurable: true })
  const db = connectDb({ url: postgres.url, max: 4, name: 'bench' })
  const [redis, money] = [connectRedis(order.redis, 'plain'), connectRedis(order.redis, 'ledger')]
  try {
    await Promise.all([migrate(db), waitUntilReady(redis), waitUntilReady(money)])
    await insertAccounts(db, order)
    // The process that opened the fence instead stored the position of another Postgres.
    await (order.is_warm ? openAndLoad({ db, redis, money }, order) : redis.del(keys.postgres()))
    write({ database: postgres.url, pid: postgres.pid })
    const ids = order.accounts.map(({ id }) => id)
    for await (const line of { [Symbol.asyncIterator]: () => lines }) {
      write(await answer(JSON.parse(line) as Command, { db, redis, money, shards: order.shards, ids })) // see above
    }
  } finally {
    redis.disconnect()
    money.disconnect()
    await db.destroy()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Stores = { readonly db: Db; readonly redis: Redis; readonly money: Redis }
type Testbed = Stores & { readonly shards: number; readonly ids: readonly number[] }

async function answer(command: Command, testbed: Testbed): Promise<unknown> {
  if ('write' in command) return await writeRequests({ ...testbed, ledger: createLedger(testbed.redis) }, command.write)
  if ('until' in command) {
    for (;;) {
      const unposted = await countUnposted(testbed)
      if (unposted <= command.until) return { unposted }
      await wait(POLL_MS)
    }
  }
  if ('booked' in command) return { ...(await readBooked(testbed.db, command.booked)), appended: await countAppended(testbed) }
  const { db, redis, shards } = testbed
  if ('sizes' in command) return await readSizes(db, redis, shards)
  const limits = { shards, maxHoldAgeMs: 60_000, maxLagMs: 60_000 }
  const { is_sound, text } = await verifyLedger({ db, redis, limits })
  return { is_sound, text }
}

/** The charges of an account's requests by its wallet, its token and its log rows. */
async function readBooked(db: Db, id: number) {
  const { spent } = await db.selectFrom('users').select('spent').where('id', '=', id).executeTakeFirstOrThrow()
  const { charged } = await db.selectFrom('tokens').select('charged').where('id', '=', id).executeTakeFirstOrThrow()
  const logged = await db
    .selectFrom('logs')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('quota').as('quota')])
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return { spent, charged, rows: Number(logged.rows), quota: Number(logged.quota ?? 0) }
}

async function insertAccounts(db: Db, { accounts, shards }: Order): Promise<void> {
  for (let at = 0; at < accounts.length; at += BATCH) {
    const part = accounts.slice(at, at + BATCH)
    const now = Math.floor(Date.now() / 1000)
    const users = part.map(({ id, credited }) => ({ id, shard: id % shards, username: `user-${id}`, credited, created_at: now }))
    const entries = part.map(({ id, credited }) => {
      return { user_id: id, kind: 'opening' as const, amount: credited, reference: `opening-${id}`, created_at: now }
    })
    const sealed = { key_sealed: '', key_head: '', key_tail: '' }
    const tokens = part.map(({ id, granted }) => {
      return { id, user_id: id, name: `token-${id}`, key_hash: `hash-${id}`, ...sealed, granted, created_time: now }
    })
    const grants = part.map(({ id, granted }) => {
      return { token_id: id, kind: 'create' as const, amount: granted, reference: `create-${id}`, created_at: now }
    })
    await db.insertInto('users').values(users).execute()
    await db.insertInto('wallet_entries').values(entries).execute()
    await db.insertInto('tokens').values(tokens).execute()
    await db.insertInto('token_grants').values(grants).execute()
  }
}

async function openAndLoad({ db, redis, money }: Stores, { accounts, shards }: Order): Promise<void> {
  const log = createLogger({ service: 'worker', level: 'error' })
  const now = (): number => Date.now()
  const observer = createObserver(noTelemetry, { current: () => UNKNOWN_STATE, masters: () => [] })
  await runRecovery({ db, redis: money, streams: redis, shards, observer, log, outage: createOutageLog({ log, now }), now })
  const admin = createLedgerAdmin(redis)
  const ids = accounts.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += BATCH) {
    const part = ids.slice(at, at + BATCH)
    const readAt = await admin.redisTime()
    await admin.loadWallets(await listWalletStates(db, part), readAt)
    await admin.loadTokens(await listTokenStates(db, part), readAt)
  }
}

const write = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

await start()
