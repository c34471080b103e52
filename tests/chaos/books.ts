import { sql } from 'kysely'
import type { Row } from './compare.ts'
import type { World } from './world.ts'

/** Every log row of a request, with who made it and the client's id. */
export async function readRows({ db }: World): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select l.request_id, l.state, l.quota, l.user_id, l.token_id, l.completion_tokens, coalesce(k.by, '?') as by,
      coalesce(l.explanation->'client'->>'user_agent', '') as user_agent, coalesce((l.explanation->>'wallet_held')::bigint, 0) as wallet_held,
      l.content as ended_by
    from logs l left join usage_keys k on k.request_id = l.request_id and k.kind = case when l.state = 'late' then 'late' else 'final' end
    where l.request_id <> '' and l.state <> ''`.execute(db)
  return rows
}

export type Money = { readonly overspent: readonly string[]; readonly drifted: readonly string[] }

/** Wallets and tokens against the rows: an own count beside the verifier's. */
export async function checkMoney(world: World, rows: readonly Row[]): Promise<Money> {
  const users = await world.db.selectFrom('users').select(['id', 'credited', 'spent']).execute()
  const tokens = await world.db.selectFrom('tokens').select(['id', 'granted', 'charged', 'used_quota', 'unlimited_quota']).execute()
  const overspent: string[] = []
  const drifted: string[] = []
  for (const { id, credited, spent } of users) {
    const mine = rows.filter(({ user_id }) => user_id === id)
    const sum = total(mine)
    if (sum !== spent) drifted.push(`user ${id}: spent ${spent}, rows ${sum}`)
    const allowed = mine.reduce((all, row) => all + excess(row), 0)
    if (spent - credited > allowed) overspent.push(`user ${id}: credited ${credited}, spent ${spent}, charges over their holds ${allowed}`)
  }
  for (const { id, granted, charged, used_quota } of tokens) {
    const mine = rows.filter(({ token_id }) => token_id === id)
    const sum = total(mine)
    if (sum !== used_quota) drifted.push(`token ${id}: used ${used_quota}, rows ${sum}`)
    const allowed = mine.reduce((all, row) => all + excess(row), 0)
    if (charged - granted > allowed)
      overspent.push(`token ${id}: granted ${granted}, charged ${charged}, charges over their holds ${allowed}`)
  }
  return { overspent, drifted }
}

const total = (rows: readonly Row[]): number => rows.reduce((sum, { quota }) => sum + quota, 0)

/** What a request may take beyond its hold. A reaper's row does not tell the hold, and a correction comes when it is gone. */
function excess({ state, by, quota, wallet_held }: Row): number {
  return state === 'late' || by === 'reaper' ? Math.max(0, quota) : Math.max(0, quota - wallet_held)
}

/** Who waits in Postgres and for whom: for a system that does not come to rest. */
export async function listWaits({ db }: World): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s pid %s %s since %s s, waits for %s: %s', application_name, pid, state, round(extract(epoch from now() - xact_start)),
      pg_blocking_pids(pid), left(query, 160)) as line
    from pg_stat_activity where xact_start < now() - interval '3 seconds' and pid <> pg_backend_pid()`.execute(db)
  return rows.map(({ line }) => line)
}
