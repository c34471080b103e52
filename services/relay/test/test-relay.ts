import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RelayEnv } from '@tollgate/config/env'
import { createSealer, hashTokenKey, sealedBy } from '@tollgate/config/sealing'
import { DeferredRecord } from '@tollgate/contracts/deferred/deferred'
import { DEFERRED_CALLS, type DeferredAnswer } from '@tollgate/contracts/deferred/deferred-calls'
import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import { INTERNAL_AUTH_HEADER, INTERNAL_PATHS, type TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { ChannelSnapshot, GroupSnapshot, PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import { toEventBody } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { verifyInternal } from '@tollgate/http/internal-auth'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { aChannel as aSnapshotChannel } from '@tollgate/testing/a-channel'
import { openLedger } from '@tollgate/testing/test-ledger'
import { replaceSnapshot } from '@tollgate/redis/snapshot/snapshot-store'
import { putTokenRecord, removeTokenRecord } from '@tollgate/redis/stores/token-store'
import { createLogger } from '@tollgate/telemetry/logger'
import { noTelemetry } from '@tollgate/telemetry/otel'
import { startTestRedis } from '@tollgate/testing/redis'
import { startVendorServer } from '@tollgate/testing/vendor-server'
import { createDeps } from '../src/create-deps.ts'
import type { RelayDeps } from '../src/deps.ts'
import { startServer, type RelayServer } from '../src/server.ts'

/** A real Redis with an open ledger, a scripted vendor, a fake of the control plane's internal port, and relays on real sockets. */
export type Testbed = Awaited<ReturnType<typeof openTestbed>>
export type TestRelay = { readonly url: string; readonly deps: RelayDeps; readonly server: RelayServer; stop(): Promise<void> }
export type Account = { readonly key: string; readonly record: TokenRecord; readonly credited: number; readonly granted: number }

export const SHARDS = 2
export const KEY_CHANNELS = `test:${Buffer.alloc(32, 7).toString('base64url')}`
export const SECRET = 'relay-test-secret-of-32-characters'
const sealer = createSealer(KEY_CHANNELS)

export async function openTestbed() {
  const server = await startTestRedis()
  const { admin, redis: money } = await openLedger(server.url, SHARDS)
  const redis = connectRedis(server.url, 'plain')
  const vendor = await startVendorServer()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-relay-'))
  const accounts = new Map<string, Account>()
  const relays: TestRelay[] = []
  let version = 0
  let nextId = 100
  const load = async (users: readonly number[]) => {
    const readAt = await admin.redisTime()
    const found = [...accounts.values()].filter(({ record }) => users.includes(record.user_id))
    await admin.loadWallets(
      found.map(({ record, credited }) => ({
        shard: record.shard,
        posted_n: 0,
        user_id: record.user_id,
        credited,
        spent: 0,
        version: 1,
        auth: record.user_auth,
      })),
      readAt,
    )
    await admin.loadTokens(
      found.map(({ record, granted }) => ({
        shard: record.shard,
        posted_n: 0,
        token_id: record.token_id,
        granted,
        charged: 0,
        is_limited: !record.is_unlimited,
        version: 1,
        auth: record.token_auth,
      })),
      readAt,
    )
  }
  const controlPlane = await startControlPlane(accounts, redis, load)
  const envOf = (over: Partial<Record<keyof RelayEnv, unknown>> = {}) =>
    RelayEnv.parse({
      REDIS_URL: server.url,
      SHARDS,
      KEY_CHANNELS,
      INTERNAL_SECRETS: SECRET,
      LOG_LEVEL: 'silent',
      RELAY_PORT: 0,
      RELAY_HOST: '127.0.0.1',
      CONTROL_PLANE_INTERNAL_URL: controlPlane.url,
      UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8,::1',
      RELAY_STATE_DIR: dir,
      ...over,
    })

  return {
    redis,
    vendor,
    dir,
    redisUrl: server.url,
    redisServer: server,
    controlPlane,
    admin,
    envOf,
    /** Publishes a complete configuration as the next version. */
    publish: async (whole: {
      channels: ChannelSnapshot[]
      prices?: PriceSnapshot[]
      groups?: GroupSnapshot[]
      options?: Record<string, string>
    }) => {
      version += 1
      await replaceSnapshot(redis, { prices: PRICES, groups: GROUPS, options: {}, ...whole }, version)
      await Promise.all(relays.map(({ deps }) => deps.snapshots.poll()))
    },
    aChannel: (scenario: string, over: Partial<ChannelSnapshot> = {}): ChannelSnapshot => aChannel(`${vendor.url}/${scenario}`, over),
    /** Creates a user with a wallet and a token, which stay cold until the first request. */
    anAccount: async (over: Partial<TokenRecord> & { credited?: number; granted?: number; isKnown?: boolean } = {}): Promise<Account> => {
      const { credited = 10_000_000, granted = 0, isKnown = true, ...record } = over
      nextId += 1
      const key = randomBytes(24).toString('hex')
      const account: Account = {
        key,
        credited,
        granted,
        record: aRecord({ user_id: nextId, token_id: nextId, shard: nextId % SHARDS, ...record }),
      }
      if (isKnown) {
        accounts.set(hashTokenKey(key), account)
        await putTokenRecord(redis, hashTokenKey(key), account.record)
      }
      return account
    },
    /** Changes the token as the control plane does: the record first, then its auth number in the ledger. */
    change: async (account: Account, over: Partial<TokenRecord>) => {
      const record = { ...account.record, ...over, token_auth: account.record.token_auth + 1 }
      const changed = { ...account, record }
      accounts.set(hashTokenKey(account.key), changed)
      await putTokenRecord(redis, hashTokenKey(account.key), record)
      await admin.syncToken({
        shard: record.shard,
        token_id: record.token_id,
        granted: account.granted,
        is_limited: !record.is_unlimited,
        version: 2,
        auth: record.token_auth,
      })
      return changed
    },
    forgetRecord: (account: Account) => removeTokenRecord(redis, hashTokenKey(account.key)),
    startRelay: async (over: Partial<Record<keyof RelayEnv, unknown>> = {}): Promise<TestRelay> => {
      const env = envOf(over)
      const deps = await createDeps({ env, log: createLogger({ service: 'relay', level: env.LOG_LEVEL }), telemetry: noTelemetry })
      await deps.snapshots.start(2000)
      const running = await startServer(deps)
      const relay = {
        url: `http://127.0.0.1:${running.port}`,
        deps,
        server: running,
        stop: async () => {
          relays.splice(relays.indexOf(relay), 1)
          await running.drain(2000)
          await deps.close()
        },
      }
      relays.push(relay)
      return relay
    },
    /** The user's events from the streams of all shards, oldest first. */
    eventsOf: async (account: Account) => (await readEvents(redis)).filter(({ body }) => body.user_id === account.record.user_id),
    spendable: async ({ record }: Account): Promise<number> => {
      const [credited, spent, held] = await redis.hmget(keys.wallet(record.shard, record.user_id), 'credited', 'spent', 'held')
      return Number(credited) - Number(spent) - Number(held)
    },
    /** Quota that each window of a token's budgets has counted. */
    budgetsSpent: async ({ record }: Account): Promise<number[]> => {
      const counters = await redis.hgetall(keys.token(record.shard, record.token_id))
      return Object.entries(counters).flatMap(([field, value]) => (/^bs\d+:/.test(field) ? [Number(value)] : []))
    },
    openHolds: async (): Promise<number> => {
      const counts = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => redis.zcard(keys.holdTimes(shard))))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    close: async () => {
      await Promise.all([...relays].map((relay) => relay.stop()))
      await vendor.stop()
      await controlPlane.stop()
      redis.disconnect()
      money.disconnect()
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export const PRICES: PriceSnapshot[] = [
  { model: 'gpt-4o', ratio: 1.25, completion_ratio: 4 },
  { model: 'per-call', price: 0.02 },
]
export const GROUPS: GroupSnapshot[] = [
  { name: 'default', ratio: 1, usable_label: '默认分组' },
  { name: 'vip', ratio: 2, usable_label: 'vip分组' },
  { name: 'hidden', ratio: 1, usable_label: null },
]

// Beyond the ids that tests choose: relays remember the failures of a channel by its id.
let nextChannel = 10_000

export function aChannel(base_url: string, over: Partial<ChannelSnapshot> = {}): ChannelSnapshot {
  nextChannel += 1
  const id = over.id ?? nextChannel
  return aSnapshotChannel({
    id,
    name: `channel ${id}`,
    key_sealed: sealer.seal(`vendor-key-${id}`, sealedBy.channelKey(id)),
    base_url,
    models: ['gpt-4o', 'per-call', 'unpriced-model'],
    groups: ['default', 'vip'],
    ...over,
  })
}

export function aRecord(over: Partial<TokenRecord>): TokenRecord {
  return {
    token_id: 1,
    user_id: 1,
    shard: 0,
    name: 'a token',
    status: 1,
    expired_time: -1,
    is_unlimited: true,
    group: '',
    model_limits: null,
    allow_ips: [],
    token_auth: 1,
    user_auth: 1,
    username: 'alice',
    user_status: 1,
    role: 1,
    user_group: 'default',
    accept_unset_model_ratio_model: false,
    ...over,
  }
}

/** A daily budget of a token, which refuses. */
export const aBudget = (amount: number): BudgetRule => ({
  id: 7,
  scope: 'token',
  window: 'day',
  time_zone: 'UTC',
  start_day: 1,
  starts_at: 0,
  amount,
  action: 'refuse',
})

/** Answers the relay's internal calls from the accounts of the test, and checks their signatures. `calls.hold` delays the answers. */
async function startControlPlane(accounts: ReadonlyMap<string, Account>, redis: Redis, load: (users: readonly number[]) => Promise<void>) {
  const calls = {
    arrived: 0,
    lookups: 0,
    loads: 0,
    isDown: false,
    hold: Promise.resolve(),
    traces: new Set<unknown>(),
    /** Refunds of failed tasks to every account. */
    refunds: { user: 0, token: 0 },
    background: new Map() as Background,
    /** Refusal of the uploads of a user. */
    uploads: new Map<number, DeferredAnswer<'fileAllow'>['result']>(),
  }
  const server: Server = createServer((incoming, reply) => {
    // As the control plane answers when Redis does not.
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
      const body = Buffer.concat(chunks)
      calls.arrived += 1
      calls.traces.add(incoming.headers['traceparent'])
      await calls.hold
      const header = String(incoming.headers[INTERNAL_AUTH_HEADER.toLowerCase()])
      const isSigned = verifyInternal(header, { method: 'POST', path: incoming.url ?? '', body, nowMs: Date.now() }, [SECRET])
      if (calls.isDown || !isSigned) return void reply.writeHead(calls.isDown ? 500 : 401).end()
      if (incoming.url === DEFERRED_CALLS.fileAllow.path) {
        const { user_id } = JSON.parse(body.toString()) as { user_id: number } // our own contract
        return void reply.end(JSON.stringify({ result: calls.uploads.get(user_id) ?? 'allowed', limit: 5 }))
      }
      const deferred = answerDeferred(calls.background, incoming.url ?? '', body)
      if (deferred !== undefined) return void reply.end(JSON.stringify(deferred))
      const input = JSON.parse(body.toString()) as { key_hashes: string[]; pairs: { user_id: number }[] } // our own contract
      if (incoming.url === INTERNAL_PATHS.tokenLookup) {
        calls.lookups += 1
        const records = input.key_hashes.map((hash) => accounts.get(hash)?.record ?? null)
        for (const [at, record] of records.entries()) if (record !== null) await putTokenRecord(redis, input.key_hashes[at] ?? '', record)
        return void reply.end(JSON.stringify({ records }))
      }
      if (incoming.url === INTERNAL_PATHS.refunds) return void reply.end(JSON.stringify(calls.refunds))
      if (incoming.url === INTERNAL_PATHS.taskFind) return void reply.end(JSON.stringify({ tasks: [] }))
      calls.loads += 1
      await load(input.pairs.map(({ user_id }) => user_id))
      reply.end(JSON.stringify({ loaded: input.pairs.length }))
    })().catch(() => reply.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Background responses by id; a test ends them. */
type Background = Map<string, DeferredRecord & { readonly user_id: number; readonly pieces: Buffer[] }>

type BackgroundCall = {
  readonly user_id: number
  readonly id: string
  readonly facts: string
  readonly body: string | null
  readonly n: number
  readonly content: string
}

function answerDeferred(background: Background, path: string, bytes: Buffer): object | undefined {
  if (!path.startsWith('/internal/deferred/responses/')) return undefined
  const input = JSON.parse(bytes.toString()) as BackgroundCall // our own contract
  const { user_id, id } = input
  if (path === DEFERRED_CALLS.responseCreate.path) {
    const made = { id, user_id, facts: input.facts, pieces: input.body === null ? [] : [Buffer.from(input.body)] }
    const fresh = { outcome: '', status: 0, request_id: '', answer: '', has_answer_pieces: false, made_id: '', created_at: 1 } as const
    background.set(id, { ...made, ...fresh, state: 'pending' })
    return { result: 'created' }
  }
  const found = background.get(id)
  const own = found?.user_id === user_id ? found : undefined
  if (path === DEFERRED_CALLS.responseRemove.path) return { result: own === undefined ? 'unknown' : 'removed' }
  if (path === DEFERRED_CALLS.responseAppend.path) return (own?.pieces.push(Buffer.from(input.content, 'base64')), {})
  if (path === DEFERRED_CALLS.responseStart.path) return {}
  if (path === DEFERRED_CALLS.responsePiece.path) return { content: own?.pieces[input.n]?.toString('base64') ?? null }
  return { response: own === undefined ? null : DeferredRecord.parse(own) }
}

async function readEvents(
  redis: Redis,
): Promise<{ request_id: string; charge: number; kind: string; body: UsageEventBody; size: number }[]> {
  const events = []
  for (let shard = 0; shard < SHARDS; shard += 1) {
    for (const [, fields] of await redis.xrange(keys.usage(shard), '-', '+')) {
      const map = new Map(Array.from({ length: fields.length / 2 }, (_, at) => [fields[at * 2] ?? '', fields[at * 2 + 1] ?? ''] as const))
      const text = map.get('body') ?? '{}'
      events.push({
        request_id: map.get('id') ?? '',
        charge: Number(map.get('charge')),
        kind: map.get('kind') ?? '',
        body: UsageEventBody.parse(toEventBody(JSON.parse(text))),
        size: Buffer.byteLength(text),
      })
    }
  }
  return events
}
