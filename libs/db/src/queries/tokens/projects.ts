import { sql } from 'kysely'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { sinceNow } from './tokens.ts'

export type ProjectRow = {
  readonly id: number
  readonly name: string
  readonly created_at: UnixSeconds
  readonly tokens: number
  readonly used_quota: Quota
}

/** Projects that exist, by name, with their tokens. */
export async function listProjects(db: Db | Tx, organisationId: number): Promise<ProjectRow[]> {
  const { rows } = await sql<ProjectRow>`
    select p.id, p.name, p.created_at, count(t.id) filter (where t.deleted_at is null)::int as tokens,
      coalesce(sum(t.used_quota), 0)::bigint as used_quota
    from projects p left join tokens t on t.project_id = p.id
    where p.organisation_id = ${organisationId} and p.removed_at = 0
    group by p.id order by lower(p.name), p.id`.execute(db)
  return rows
}

type Owned = { readonly id: number; readonly organisation_id: number }

/** The name of a project that exists; undefined: there is none in this organisation. */
export async function findProjectName(db: Db | Tx, { id, organisation_id }: Owned): Promise<string | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('name')
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .where('removed_at', '=', 0)
    .executeTakeFirst()
  return row?.name
}

/** Names of projects, also of removed ones. */
export async function listProjectNames(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('projects').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function createProject(
  tx: Tx,
  row: { readonly organisation_id: number; readonly name: string; readonly created_at: UnixSeconds },
): Promise<number> {
  const { id } = await tx.insertInto('projects').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function renameProject(tx: Tx, { id, organisation_id, name }: Owned & { readonly name: string }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('projects')
    .set({ name })
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .where('removed_at', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Its row stays, for what it has spent. */
export async function removeProject(tx: Tx, { id, organisation_id, now }: Owned & { readonly now: UnixSeconds }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('projects')
    .set({ removed_at: now })
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .where('removed_at', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countProjectTokens(db: Db | Tx, projectId: number): Promise<number> {
  const { total } = await db
    .selectFrom('tokens')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** Moves every token of an account into a project. */
export async function moveAllTokens(
  tx: Tx,
  { user_id, project_id }: { readonly user_id: number; readonly project_id: number },
): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ project_id, ...sinceNow(project_id) })
    .where('user_id', '=', user_id)
    .where('is_internal', '=', false)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Tokens that a member made and that are not deleted. */
export async function listTokensMadeBy(
  db: Db | Tx,
  { user_id, created_by }: { readonly user_id: number; readonly created_by: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', user_id)
    .where('created_by', '=', created_by)
    .where('internal_for', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export type SpendingRow = {
  readonly id: number
  readonly name: string
  readonly quota: Quota
  readonly requests: number
  readonly tokens: number
}

/** Spending of each project or member of an organisation, by the hourly sums, the most first. */
export async function sumSpending(
  db: Db | Tx,
  {
    organisation_id,
    by,
    from,
    until,
  }: { readonly organisation_id: number; readonly by: 'project' | 'member'; readonly from: UnixSeconds; readonly until: UnixSeconds },
): Promise<SpendingRow[]> {
  const column = by === 'project' ? sql.ref('t.project_id') : sql.ref('t.created_by')
  const name =
    by === 'project'
      ? sql`(select p.name from projects p where p.id = x.id)`
      : sql`(select case when u.deleted_at is null then u.username else '' end from users u where u.id = x.id)`
  const { rows } = await sql<SpendingRow>`
    select x.id, coalesce(${name}, '') as name, x.quota, x.requests, x.tokens from (
      select coalesce(${column}, 0)::bigint as id, sum(h.quota)::bigint as quota, sum(h.requests)::bigint as requests,
        sum(h.prompt_tokens + h.completion_tokens)::bigint as tokens
      from usage_hours h left join tokens t on t.id = h.token_id
      where h.user_id = ${organisation_id} and h.hour >= ${from} and h.hour < ${until}
      group by 1 having sum(h.requests) > 0
    ) x order by x.quota desc, x.id`.execute(db)
  return rows
}
