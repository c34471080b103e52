import type { Redis } from '@tollgate/redis/connect'
import { decodeHold, encodeTombstone, type OpenHold, type Tombstone } from '../client/hold-codec.ts'
import { correctedBudgets, syncedBudgets } from '../client/budget-args.ts'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime, type TokenState, type WalletState } from '../accounts/ledger-admin.ts'
import type { PostedShard } from './posted-ledger.ts'

/** Steps of recovery in a shard whose fence is closed. Each can be repeated. */
const BATCH = 500

/** Turns holds and tombstones of posted requests into tombstones with the posted charge, so that they are not charged again. */
export async function writePostedTombstones(redis: Redis, shard: number, posted: PostedShard): Promise<void> {
  const at = await readRedisTime(redis)
  const lines = Object.entries(await redis.hgetall(keys.holds(shard)))
  for (const batch of chunk(lines)) {
    const kept = new Map(batch.flatMap(([id, text]) => toEntry(id, decodeHold(text))))
    const requests = await posted.listPosted([...kept.keys()])
    // All at once: a busy shard has tens of thousands, and the ledger is closed meanwhile.
    await Promise.all(
      requests.map(async ({ request_id, isReapedOnly, charge }) => {
        const hold = kept.get(request_id)
        if (hold === undefined) return
        await writeTombstone(redis, shard, request_id, { ...tombstoneOf(hold), kind: isReapedOnly ? 'reaped' : 'done', charge, at })
      }),
    )
  }
}

const toEntry = (id: string, hold: OpenHold | Tombstone | undefined): [string, OpenHold | Tombstone][] =>
  hold === undefined ? [] : [[id, hold]]

const tombstoneOf = ({ user_id, token_id, token_held }: OpenHold | Tombstone) => ({ user_id, token_id, token_held })

async function writeTombstone(redis: Redis, shard: number, requestId: string, tombstone: Tombstone): Promise<void> {
  await Promise.all([
    redis.hset(keys.holds(shard), requestId, encodeTombstone(tombstone)),
    redis.zadd(keys.tombstones(shard), String(tombstone.at), requestId),
    redis.zrem(keys.holdTimes(shard), requestId),
    redis.hdel(keys.pendingEvents(shard), requestId),
    redis.hdel(keys.progress(shard), requestId),
  ])
}

/** Removes every wallet and token of the shard: all events are posted, so the next load reads correct sums. */
export async function forgetAccounts(redis: Redis, shard: number): Promise<void> {
  const names = await redis.zrange(keys.hot(shard), '0', '-1')
  for (const batch of chunk(names)) await redis.del(...batch.map((name) => accountKey(shard, name)))
  await redis.del(keys.hot(shard))
}

/**
 * Updates every hot account whose version in Postgres is greater: the fields that Postgres owns. Sums become the posted ones, at once or,
 * where events are not posted yet, later: a store from a moment ago may lack a correction of repeated events that was recorded as done.
 */
export async function syncAccounts(redis: Redis, shard: number, posted: PostedShard): Promise<void> {
  for (const names of chunk(await redis.zrange(keys.hot(shard), '0', '-1'))) {
    const [wallets, tokens] = await Promise.all([posted.listWallets(idsOf(names, 'w')), posted.listTokens(idsOf(names, 't'))])
    const accounts = [
      ...wallets.map((wallet) => ({
        key: keys.wallet(shard, wallet.user_id),
        ...wallet,
        fields: walletFields(wallet),
        sum: { spent: wallet.spent, ...fieldsOf(correctedBudgets(wallet.budgets ?? [])) },
        correction: { subject: 'user', subject_id: wallet.user_id } as const,
      })),
      ...tokens.map((token) => ({
        key: keys.token(shard, token.token_id),
        ...token,
        fields: tokenFields(token),
        sum: { charged: token.charged, ...fieldsOf(correctedBudgets(token.budgets ?? [])) },
        correction: { subject: 'token', subject_id: token.token_id } as const,
      })),
    ]
    const corrected = await Promise.all(accounts.map(async (account) => ((await syncAccount(redis, account)) ? [] : [account.correction])))
    await posted.correctLater(corrected.flat())
  }
}

type Account = Pick<WalletState, 'version' | 'posted_n'> & {
  readonly key: string
  readonly fields: Readonly<Record<string, number>>
  readonly sum: Readonly<Record<string, number>>
}

/** False: the account has events that are not posted yet, so its sum cannot be compared. */
async function syncAccount(redis: Redis, { key, version, posted_n, fields, sum }: Account): Promise<boolean> {
  const [known, last_n] = await redis.hmget(key, 'version', 'last_n')
  if (typeof known !== 'string') return true
  const isPosted = Number(last_n) <= posted_n
  const changes = { ...(Number(known) < version ? { ...fields, version } : {}), ...(isPosted ? sum : {}) }
  if (Object.keys(changes).length > 0) await redis.hset(key, changes)
  return isPosted
}

const walletFields = ({ credited, auth, budgets = [] }: WalletState) => ({ credited, auth, ...fieldsOf(syncedBudgets(budgets)) })
const tokenFields = ({ granted, is_limited, auth, budgets = [] }: TokenState) => ({
  granted,
  limited: is_limited ? 1 : 0,
  auth,
  ...fieldsOf(syncedBudgets(budgets)),
})

/** Pairs of field and value as an object. */
function fieldsOf(pairs: readonly (string | number)[]): Record<string, number> {
  return Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[String(name), Number(pairs[at + 1])]] : [])))
}

function accountKey(shard: number, name: string): string {
  const id = Number(name.slice(1))
  return name.startsWith('w') ? keys.wallet(shard, id) : keys.token(shard, id)
}

function idsOf(names: readonly string[], kind: 'w' | 't'): number[] {
  return names.filter((name) => name.startsWith(kind)).map((name) => Number(name.slice(1)))
}

function chunk<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH))
}
