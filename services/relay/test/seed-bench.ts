import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { hashTokenKey } from '@tollgate/config/sealing'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { openLedger } from '@tollgate/testing/test-ledger'
import { replaceSnapshot } from '@tollgate/redis/snapshot/snapshot-store'
import { putTokenRecord } from '@tollgate/redis/stores/token-store'
import { aChannel, aRecord, GROUPS, KEY_CHANNELS, SECRET } from './test-relay.ts'

/**
 * Fills an empty Redis for a load test: an open ledger, many accounts and a configuration, so that relays run without control plane,
 * worker and Postgres. A process of its own, because load-tests cannot import this package.
 *
 * Standard input, one JSON object per line: first an Order, then any number of `{"trim":true}`, which empties the usage streams (no worker
 * posts them here). Standard output, one line each: the environment and keys, then `{"trimmed":true}`. Ends when its input ends.
 */
type Order = {
  readonly redis: string
  readonly shards: number
  readonly channels: readonly { readonly type: number; readonly base_url: string; readonly models: string[] }[]
  readonly tokens: number
  /** Number of accounts whose wallet is too small for any request. */
  readonly poor: number
  /** Sensitive words, both request windows, an address list. */
  readonly has_all_features: boolean
}

const WORDS = 1000
const RICH = 1_000_000_000_000
const POOR = 1
const BATCH = 500
const FIRST_ID = 1000
const IP_LIST = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '203.0.113.7', '2001:db8::/32', '127.0.0.0/8']

async function start(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const first = await lines.next()
  const order = JSON.parse(String(first.value)) as Order // written by load-tests/bench/testbed.ts
  const { admin, redis: money } = await openLedger(order.redis, order.shards)
  const redis = connectRedis(order.redis, 'plain')
  const channels = order.channels.map(({ type, base_url, models }) => aChannel(base_url, { type, models, groups: ['default'] }))
  await replaceSnapshot(redis, { channels, prices: pricesOf(channels), groups: GROUPS, options: optionsOf(order) }, 1)
  const made: string[] = []
  for (let at = 0; at < order.tokens + order.poor; at += BATCH) {
    made.push(...(await makeAccounts(at, Math.min(BATCH, order.tokens + order.poor - at), order, { admin, redis })))
  }
  const env = { KEY_CHANNELS, INTERNAL_SECRETS: SECRET, SHARDS: String(order.shards), REDIS_URL: order.redis }
  writeLine({ env, keys: made.slice(0, order.tokens), poor: made.slice(order.tokens) })
  for await (const line of { [Symbol.asyncIterator]: () => lines }) {
    if (line !== '{"trim":true}') throw new Error(`unexpected input: ${line}`)
    await Promise.all(Array.from({ length: order.shards }, (_, shard) => redis.xtrim(keys.usage(shard), 'MAXLEN', 0)))
    writeLine({ trimmed: true })
  }
  redis.disconnect()
  money.disconnect()
}

type Stores = { readonly admin: Awaited<ReturnType<typeof openLedger>>['admin']; readonly redis: Redis }

/** Creates users with one limited token each, with records and balances already in Redis. */
async function makeAccounts(from: number, count: number, order: Order, { admin, redis }: Stores): Promise<string[]> {
  const readAt = await admin.redisTime()
  const accounts = Array.from({ length: count }, (_, at) => {
    const id = FIRST_ID + from + at
    const isPoor = from + at >= order.tokens
    const allow_ips = order.has_all_features ? IP_LIST : []
    const record = aRecord({ user_id: id, token_id: id, shard: id % order.shards, is_unlimited: false, allow_ips })
    return { key: randomBytes(24).toString('hex'), record, credited: isPoor ? POOR : RICH }
  })
  await admin.loadWallets(
    accounts.map(({ record: { shard, user_id, user_auth }, credited }) => ({
      shard,
      posted_n: 0,
      user_id,
      credited,
      spent: 0,
      version: 1,
      auth: user_auth,
    })),
    readAt,
  )
  await admin.loadTokens(
    accounts.map(({ record: { shard, token_id, token_auth } }) => ({
      shard,
      posted_n: 0,
      token_id,
      granted: RICH,
      charged: 0,
      is_limited: true,
      version: 1,
      auth: token_auth,
    })),
    readAt,
  )
  await Promise.all(accounts.map(({ key, record }) => putTokenRecord(redis, hashTokenKey(key), record)))
  return accounts.map(({ key }) => key)
}

const pricesOf = (channels: readonly ChannelSnapshot[]) =>
  [...new Set(channels.flatMap(({ models }) => models))].map((model) => ({ model, ratio: 1.25, completion_ratio: 4 }))

function optionsOf({ has_all_features }: Order): Record<string, string> {
  if (!has_all_features) return { CheckSensitiveEnabled: 'false' }
  return {
    CheckSensitiveEnabled: 'true',
    CheckSensitiveOnPromptEnabled: 'true',
    SensitiveWords: Array.from({ length: WORDS }, (_, at) => `forbidden-word-${at * 7919}`).join('\n'),
    ModelRequestRateLimitEnabled: 'true',
    ModelRequestRateLimitDurationMinutes: '1',
    ModelRequestRateLimitCount: '1000000',
    ModelRequestRateLimitSuccessCount: '1000000',
  }
}

const writeLine = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

await start()
