import { sql } from 'kysely'
import { connectRedis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { lostItsHold } from './beyond-repair.ts'
import type { Row } from './compare.ts'
import type { ClientEntry } from './load.ts'
import type { Incident } from './trouble.ts'
import type { Cluster } from './cluster.ts'

const PAGE = 20_000

/** Every log row of a request, with who made it and the client's id. */
export async function readRows({ db }: Cluster): Promise<Row[]> {
  const all: Row[] = []
  let after = 0
  for (;;) {
    const { rows } = await sql<Row & { id: number }>`
      select l.id, l.request_id, l.state, l.quota, l.user_id, l.token_id, l.completion_tokens, coalesce(k.by, '?') as by,
        coalesce(l.explanation->'client'->>'user_agent', '') as user_agent, coalesce((l.explanation->>'wallet_held')::bigint, 0) as wallet_held,
        coalesce((l.explanation->>'token_held')::bigint, 0) as token_held, coalesce(l.explanation->>'ended_by', '') as ended_by
      from logs l left join usage_keys k on k.request_id = l.request_id and k.kind = case when l.state = 'late' then 'late' else 'final' end
      where l.id > ${after} and l.request_id <> '' and l.state <> '' order by l.id limit ${PAGE}`.execute(db)
    all.push(...rows)
    const last = rows.at(-1)
    if (last === undefined) return all
    after = last.id
  }
}

export type Money = {
  readonly overspent: readonly string[]
  readonly drifted: readonly string[]
  /** Below zero only because a store swap took a hold or a credit away. */
  readonly swapped: readonly string[]
}

type Books = {
  readonly rows: readonly Row[]
  readonly clients: readonly ClientEntry[]
  readonly incidents: readonly Incident[]
  /** What was credited and granted, so that what a rollback took back is known. */
  readonly given: ReadonlyMap<string, number>
}

type Account = { readonly name: string; readonly got: number; readonly charged: number; readonly used: number }

/** Wallets and tokens against the rows: an own count beside the verifier's. */
export async function checkMoney({ db }: Cluster, { rows, clients, incidents, given }: Books): Promise<Money> {
  const holdless = new Set(clients.filter((client) => lostItsHold(client, incidents)).map(({ id }) => `chaos/${id}`))
  const sums = new Map<string, Sum>()
  for (const mine of Map.groupBy(rows, ({ request_id }) => request_id).values()) {
    const charge = mine.reduce((sum, { quota }) => sum + quota, 0)
    const lostHold = mine.some(({ user_agent }) => holdless.has(user_agent))
    for (const { name, held } of sidesOf(mine)) {
      const sum = sums.get(name) ?? { used: 0, excess: 0, holdless: 0 }
      sums.set(name, sum)
      sum.used += charge
      if (held !== undefined) sum.excess += Math.max(0, charge - held)
      if (lostHold) sum.holdless += Math.max(0, charge)
    }
  }
  const money = { overspent: new Array<string>(), drifted: new Array<string>(), swapped: new Array<string>() }
  const users = await db.selectFrom('users').select(['id', 'credited', 'spent']).execute()
  const tokens = await db.selectFrom('tokens').select(['id', 'granted', 'charged', 'used_quota']).execute()
  const accounts: Account[] = [
    ...users.map(({ id, credited, spent }) => ({ name: `user ${id}`, got: credited, charged: spent, used: spent })),
    ...tokens.map(({ id, granted, charged, used_quota }) => ({ name: `token ${id}`, got: granted, charged, used: used_quota })),
  ]
  for (const { name, got, charged, used } of accounts) {
    const sum = sums.get(name) ?? { used: 0, excess: 0, holdless: 0 }
    if (sum.used !== used) money.drifted.push(`${name}: used ${used}, rows ${sum.used}`)
    const below = charged - got - sum.excess
    const takenBack = Math.max(0, (given.get(name) ?? 0) - got)
    const text = `${name}: has ${got}, charged ${charged}, charges over their holds ${sum.excess}`
    if (below > sum.holdless + takenBack) money.overspent.push(text)
    else if (below > 0) money.swapped.push(`${text}, charged without their lost holds ${sum.holdless}, credits taken back ${takenBack}`)
  }
  return money
}

type Sum = { used: number; excess: number; holdless: number }

/** Wallet and token of a request, with what it held of each; undefined: it took nothing from the token. */
function sidesOf(rows: readonly Row[]): { readonly name: string; readonly held: number | undefined }[] {
  const [row] = rows
  if (row === undefined) return []
  const token = Math.max(...rows.map(({ token_held }) => token_held))
  return [
    { name: `user ${row.user_id}`, held: Math.max(...rows.map(({ wallet_held }) => wallet_held)) },
    { name: `token ${row.token_id}`, held: token > 0 ? token : undefined },
  ]
}

/** At rest, what is hot in Redis is what Postgres says, whatever version either believes to have; and nothing is held. */
export async function compareHot({ db, redisUrl }: Cluster): Promise<string[]> {
  const redis = connectRedis(redisUrl, 'plain')
  const different: string[] = []
  const check = (name: string, hot: readonly (string | null)[], cold: readonly number[]): void => {
    if (hot[0] !== null && hot.join() !== cold.join()) different.push(`${name}: Redis ${hot.join()} Postgres ${cold.join()}`)
  }
  try {
    for (const user of await db.selectFrom('users').select(['id', 'shard', 'credited', 'spent']).execute()) {
      const hot = await redis.hmget(keys.wallet(user.shard, user.id), 'credited', 'spent', 'held')
      check(`user ${user.id} credited, spent, held`, hot, [user.credited, user.spent, 0])
    }
    const tokens = await db
      .selectFrom('tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .select(['t.id', 'u.shard', 't.granted', 't.charged'])
      .execute()
    for (const token of tokens) {
      const hot = await redis.hmget(keys.token(token.shard, token.id), 'granted', 'charged', 'held')
      check(`token ${token.id} granted, charged, held`, hot, [token.granted, token.charged, 0])
    }
    return different
  } finally {
    redis.disconnect()
  }
}

/** Who waits in Postgres and for whom: for a system that does not come to rest. */
export async function listWaits({ db }: Cluster): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s pid %s %s since %s s, waits for %s: %s', application_name, pid, state, round(extract(epoch from now() - xact_start)),
      pg_blocking_pids(pid), left(query, 160)) as line
    from pg_stat_activity where xact_start < now() - interval '3 seconds' and pid <> pg_backend_pid()`.execute(db)
  return rows.map(({ line }) => line)
}
