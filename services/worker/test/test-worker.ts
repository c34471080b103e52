import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { createTestDatabase } from '@tollgate/testing/database'
import { startTestRedis } from '@tollgate/testing/redis'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import type { CountedBudget } from '@tollgate/ledger/client/budget-args'
import { createLedger } from '@tollgate/ledger/client/ledger'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import { noTelemetry } from '@tollgate/telemetry/otel'
import { runRecovery } from '../src/recovery/recovery-loop.ts'
import { createOutageLog } from '../src/telemetry/outage-log.ts'
import { UNKNOWN_STATE } from '../src/telemetry/ledger-view.ts'
import { createObserver } from '../src/telemetry/observe.ts'
import { createStreamTrim } from '../src/posting/stream-trim.ts'
import type { PostingDeps } from '../src/posting/post-shards.ts'

export const SHARDS = 4
export const RELAY_ID = '22222222-2222-4222-8222-222222222222'
export const CREDITED = 1_000_000

export type Testbed = Awaited<ReturnType<typeof createTestbed>>

/** A real Postgres and Redis with an open fence, and helpers to add users and make requests. */
export async function createTestbed() {
  const database = await createTestDatabase()
  const server = await startTestRedis()
  const redis = connectRedis(server.url, 'plain')
  const ledgerRedis = connectRedis(server.url, 'ledger')
  await Promise.all([waitUntilReady(redis), waitUntilReady(ledgerRedis)])
  const lines: { level: string; fields: object; text: string }[] = []
  const log = recordingLog(lines)
  const { db } = database
  const now = (): number => Date.now()
  const observer = createObserver(noTelemetry, { current: () => UNKNOWN_STATE, masters: () => [] })
  const outage = createOutageLog({ log, now })
  const recover = () => runRecovery({ db, redis: ledgerRedis, streams: redis, shards: SHARDS, observer, log, outage, now })
  await recover()
  const admin = createLedgerAdmin(redis)
  const ledger = createLedger(ledgerRedis)
  const posting: PostingDeps = { db, redis, admin, observer, log, now, trim: createStreamTrim(redis, now) }

  const addUser = async (id: number): Promise<void> => {
    await db
      .insertInto('users')
      .values({ id, shard: id % SHARDS, username: `user-${id}`, credited: CREDITED, created_at: 1 })
      .execute()
    await db
      .insertInto('wallet_entries')
      .values({ user_id: id, kind: 'opening', amount: CREDITED, reference: `opening-${id}`, created_at: 1 })
      .execute()
    await db
      .insertInto('tokens')
      .values({
        id,
        user_id: id,
        name: `token-${id}`,
        key_hash: `hash-${id}`,
        key_sealed: '',
        key_head: '',
        key_tail: '',
        granted: CREDITED,
        created_time: 1,
      })
      .execute()
    await db
      .insertInto('token_grants')
      .values({ token_id: id, kind: 'create', amount: CREDITED, reference: `create-${id}`, created_at: 1 })
      .execute()
    await warm(id)
  }
  const warm = async (id: number): Promise<void> => {
    const readAt = await admin.redisTime()
    await admin.loadWallets(await listWalletStates(db, [id]), readAt)
    await admin.loadTokens(await listTokenStates(db, [id]), readAt)
  }
  const reserve = async (
    userId: number,
    requestId: string,
    over: { pendingEvent?: string; relay_id?: string; want?: number; budgets?: readonly CountedBudget[] } = {},
  ) => {
    const result = await ledger.reserve({
      shard: userId % SHARDS,
      request_id: requestId,
      user_id: userId,
      token_id: userId,
      user_auth: 1,
      token_auth: 1,
      relay_id: over.relay_id ?? RELAY_ID,
      want: over.want ?? 100,
      least: over.want ?? 100,
      not_after: Date.now() + 60_000,
      windows: [],
      ...(over.budgets === undefined ? {} : { budgets: over.budgets }),
      pendingEvent: over.pendingEvent ?? JSON.stringify(aBody({ user_id: userId, token_id: userId })),
    })
    if (result.kind !== 'held') throw new Error(`reserve answered ${result.kind}`)
    return result
  }
  const settle = async (
    userId: number,
    requestId: string,
    charge: number,
    held: { wallet_held: number; token_held: number; epoch: number },
    body?: string,
  ) =>
    ledger.settle({
      shard: userId % SHARDS,
      request_id: requestId,
      user_id: userId,
      token_id: userId,
      charge,
      wallet_held: held.wallet_held,
      token_held: held.token_held,
      epoch: held.epoch,
      success_window_ms: 0,
      body: body ?? JSON.stringify(aBody({ user_id: userId, token_id: userId, token_charge: charge })),
    })
  return {
    database,
    server,
    db,
    redis,
    ledgerRedis,
    admin,
    ledger,
    posting,
    observer,
    /** Runs one round of recovery; the first one opens the fence. */
    recover,
    log,
    lines,
    addUser,
    warm,
    reserve,
    settle,
    /** Reserves and settles. */
    request: async (userId: number, requestId: string, charge: number, body?: string) =>
      settle(userId, requestId, charge, await reserve(userId, requestId), body),
    user: (id: number) => db.selectFrom('users').select(['spent', 'request_count']).where('id', '=', id).executeTakeFirstOrThrow(),
    token: (id: number) => db.selectFrom('tokens').select(['charged', 'used_quota']).where('id', '=', id).executeTakeFirstOrThrow(),
    close: async () => {
      redis.disconnect()
      ledgerRedis.disconnect()
      await server.stop()
      await database.drop()
    },
  }
}

/** A unique request id of today, in the format of relays. */
let counter = 0
export function anId(): string {
  counter += 1
  return `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}${String(Date.now() % 1e6)}-${counter}`
}

export function aBody(over: Partial<UsageEventBody> = {}): UsageEventBody {
  return {
    state: 'settled',
    by: 'relay',
    user_id: 1,
    token_id: 1,
    username: 'user-1',
    token_name: 'token-1',
    group: 'default',
    model_name: 'gpt-x',
    upstream_model: 'gpt-x',
    channel_id: 3,
    channel_name: 'east',
    channel_type: 1,
    is_stream: true,
    started_at: Date.now() - 1500,
    duration_ms: 1500,
    first_token_ms: 200,
    quote: {
      mode: 'ratio',
      model: 'gpt-x',
      group: 'default',
      group_ratio: 1,
      quota_per_unit: 500_000,
      price_version: 1,
      model_ratio: 2,
      completion_ratio: 3,
      cache_ratio: 0.5,
      cache_creation_ratio: 1.25,
      image_ratio: 1,
      audio_ratio: 1,
      audio_completion_ratio: 1,
      is_unpriced: false,
    },
    usage: {
      ...ZERO_USAGE,
      text_in: 10,
      text_out: 5,
      prompt_tokens: 10,
      completion_tokens: 5,
      source: 'upstream',
    },
    token_charge: 0,
    client_status: 200,
    ended_by: 'complete',
    explanation: {
      steps: [],
      attempts: [],
      candidates: [],
      candidates_cut: 0,
      wallet_held: 100,
      token_held: 100,
      warnings: [],
      is_cut: false,
      client: { ip: '127.0.0.1', user_agent: 'test', method: 'POST', path: '/v1/chat/completions' },
    },
    ...over,
  }
}

function recordingLog(lines: { level: string; fields: object; text: string }[]) {
  const write =
    (level: string) =>
    (fields: object | string, text?: string): void => {
      lines.push({ level, fields: typeof fields === 'string' ? {} : fields, text: typeof fields === 'string' ? fields : (text ?? '') })
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
