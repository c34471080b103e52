import type { Db, Tx } from '@tollgate/db/connect'
import { lockPostingCursor } from '@tollgate/db/queries/posting'
import { listShardAccounts } from '@tollgate/db/queries/verify'
import type { Redis } from '@tollgate/redis/connect'
import { inspectShard, type HotAccount, type ShardView } from '@tollgate/redis/inspect'
import type { Finding } from './finding.ts'

export type RedisCheck = {
  readonly findings: readonly Finding[]
  readonly facts: { unposted: number; open_holds: number; hot_wallets: number }
}

type Sums = Readonly<Record<'credited' | 'spent' | 'held' | 'holds', { looked: number; differences: string[] }>>
type Account = { readonly id: number; readonly given: number; readonly used: number; readonly version: number }

const ACCOUNTS_PER_CALL = 100

/** Redis against Postgres, shard after shard, each under its cursor row, so that nothing is posted while it is compared. */
export async function checkRedis(
  db: Db,
  redis: Redis,
  { shards, maxHoldAgeMs }: { shards: number; maxHoldAgeMs: number },
): Promise<RedisCheck> {
  const sums: Sums = { credited: noSums(), spent: noSums(), held: noSums(), holds: noSums() }
  const facts = { unposted: 0, open_holds: 0, hot_wallets: 0 }
  const now = Number((await redis.time())[0]) * 1000
  for (let shard = 0; shard < shards; shard += 1) {
    await db.transaction().execute((tx) => checkShard({ tx, redis, shard, sums, facts, oldest: now - maxHoldAgeMs }))
  }
  const findings = [
    { check: 'Redis: credited and granted, at equal version', ...sums.credited },
    { check: 'Redis: spent − Postgres = Σ unposted', ...sums.spent },
    { check: 'Redis: held = Σ open holds', ...sums.held },
    { check: 'Redis: no hold past its time', ...sums.holds },
  ]
  return { findings, facts }
}

type ShardCheck = { tx: Tx; redis: Redis; shard: number; sums: Sums; facts: RedisCheck['facts']; oldest: number }

async function checkShard({ tx, redis, shard, sums, facts, oldest }: ShardCheck): Promise<void> {
  const { last_id } = await lockPostingCursor(tx, shard)
  const { users, tokens } = await listShardAccounts(tx, shard)
  const wallets: Account[] = users.map(({ id, credited, spent, version }) => ({ id, given: credited, used: spent, version }))
  const grants: Account[] = tokens.map(({ id, granted, charged, version }) => ({ id, given: granted, used: charged, version }))
  const look = (userIds: number[], tokenIds: number[]): Promise<ShardView> =>
    inspectShard(redis, shard, { after: last_id, userIds, tokenIds })

  const view = await look([], [])
  facts.unposted += view.unposted.length
  facts.open_holds += view.holds.length
  sums.holds.looked += view.holds.length
  for (const { request_id, hold } of view.holds) {
    if (hold.reserved_at < oldest)
      sums.holds.differences.push(`request ${request_id} of user ${hold.user_id} is open since ${new Date(hold.reserved_at).toISOString()}`)
  }
  for (const batch of chunk(wallets)) {
    const seen = await look(
      batch.map(({ id }) => id),
      [],
    )
    for (const [index, account] of batch.entries()) {
      const hot = seen.wallets[index]
      if (hot !== undefined) facts.hot_wallets += 1
      compareAccount({
        subject: `user ${account.id}`,
        account,
        hot,
        sums,
        unposted: unpostedOf(seen, account.id, 'user'),
        held: heldOf(seen, account.id, 'user'),
      })
    }
  }
  for (const batch of chunk(grants)) {
    const seen = await look(
      [],
      batch.map(({ id }) => id),
    )
    for (const [index, account] of batch.entries()) {
      compareAccount({
        subject: `token ${account.id}`,
        account,
        hot: seen.tokens[index],
        sums,
        unposted: unpostedOf(seen, account.id, 'token'),
        held: heldOf(seen, account.id, 'token'),
      })
    }
  }
}

type AccountCheck = { subject: string; account: Account; hot: HotAccount | undefined; sums: Sums; unposted: number; held: number }

function compareAccount({ subject, account, hot, sums, unposted, held }: AccountCheck): void {
  if (hot === undefined) return
  if (hot.version === account.version) {
    sums.credited.looked += 1
    if (hot.given !== account.given) sums.credited.differences.push(`${subject}: Redis ${hot.given}, Postgres ${account.given}`)
  }
  sums.spent.looked += 1
  if (hot.used - account.used !== unposted)
    sums.spent.differences.push(`${subject}: Redis ${hot.used}, Postgres ${account.used}, unposted ${unposted}`)
  sums.held.looked += 1
  if (hot.held !== held) sums.held.differences.push(`${subject}: held ${hot.held}, open holds ${held}`)
}

function unpostedOf({ unposted }: ShardView, id: number, kind: 'user' | 'token'): number {
  return unposted
    .filter((event) => (kind === 'user' ? event.user_id : event.token_id) === id)
    .reduce((sum, event) => sum + (kind === 'user' ? event.charge : event.token_charge), 0)
}

function heldOf({ holds }: ShardView, id: number, kind: 'user' | 'token'): number {
  return holds
    .filter(({ hold }) => (kind === 'user' ? hold.user_id : hold.token_id) === id)
    .reduce((sum, { hold }) => sum + (kind === 'user' ? hold.wallet_held : hold.token_held), 0)
}

const noSums = (): { looked: number; differences: string[] } => ({ looked: 0, differences: [] })

function chunk<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / ACCOUNTS_PER_CALL) }, (_, index) =>
    all.slice(index * ACCOUNTS_PER_CALL, (index + 1) * ACCOUNTS_PER_CALL),
  )
}
