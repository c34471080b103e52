import { sql, type RawBuilder } from 'kysely'
import type { BudgetAction, BudgetScope, BudgetWindow } from '@tollgate/contracts/pricing/budget-names'
import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import { HOUR_SECONDS, type Quota, type UnixSeconds } from '@tollgate/contracts/units'
import { tableOf } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

export type BudgetRow = {
  readonly id: number
  readonly scope: BudgetScope
  /** The user, or the owner of the token; 0: a group's. */
  readonly user_id: number
  /** 0: not of a token. */
  readonly token_id: number
  /** A project of the organisation whose account is `user_id`; 0: not of a project. */
  readonly project_id: number
  /** 0: not of a member. */
  readonly member_id: number
  readonly group_name: string
  readonly amount: Quota
  readonly window: BudgetWindow
  readonly time_zone: string
  readonly start_day: number
  readonly starts_at: UnixSeconds
  readonly action: BudgetAction
  readonly alert_percents: readonly number[]
  /** True: a member set it for the organisation. */
  readonly is_by_member: boolean | null
  readonly created_at: UnixSeconds
  readonly updated_at: UnixSeconds
}

/** Whose budget it is. */
export type BudgetOwner = Pick<BudgetRow, 'scope' | 'user_id' | 'token_id' | 'project_id' | 'member_id' | 'group_name'>

export const BUDGET_COLUMNS = [
  'id',
  'scope',
  'user_id',
  'token_id',
  'project_id',
  'member_id',
  'group_name',
  'amount',
  'window',
  'time_zone',
  'start_day',
  'starts_at',
  'action',
  'alert_percents',
  'is_by_member',
  'created_at',
  'updated_at',
] as const

const select = (db: Db | Tx) => db.selectFrom('budgets').select(BUDGET_COLUMNS).where('deleted_at', 'is', null).$castTo<BudgetRow>()

/** Budgets of one owner, in the order in which they were made. */
export function listBudgetsOf(
  db: Db | Tx,
  { scope, user_id, token_id, project_id, member_id, group_name }: BudgetOwner,
): Promise<BudgetRow[]> {
  return select(db)
    .where('scope', '=', scope)
    .where('user_id', '=', user_id)
    .where('token_id', '=', token_id)
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .where('group_name', '=', group_name)
    .orderBy('id')
    .execute()
}

/** Every budget that counts requests of a user, also those of tokens that are not deleted, and of the group. */
export function listBudgetsOfAccount(
  db: Db | Tx,
  { user_id, group }: { readonly user_id: number; readonly group: string },
): Promise<BudgetRow[]> {
  return select(db)
    .where(({ eb, or, and }) => or([eb('user_id', '=', user_id), and([eb('scope', '=', 'group'), eb('group_name', '=', group)])]))
    .where((where) =>
      where.or([
        where('token_id', '=', 0),
        where.exists(
          where.selectFrom('tokens').select('id').whereRef('tokens.id', '=', 'budgets.token_id').where('tokens.deleted_at', 'is', null),
        ),
      ]),
    )
    .orderBy('id')
    .execute()
}

export function listGroupBudgets(db: Db | Tx): Promise<BudgetRow[]> {
  return select(db).where('scope', '=', 'group').orderBy('id').execute()
}

export function findBudget(db: Db | Tx, id: number): Promise<BudgetRow | undefined> {
  return select(db).where('id', '=', id).executeTakeFirst()
}

export async function lockBudget(tx: Tx, id: number): Promise<BudgetRow | undefined> {
  return await select(tx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function createBudget(tx: Tx, { alert_percents, ...budget }: Omit<BudgetRow, 'id'>): Promise<number> {
  const { id } = await tx
    .insertInto('budgets')
    .values({ ...budget, alert_percents: toJsonb(alert_percents) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type BudgetPatch = Pick<BudgetRow, 'amount' | 'action' | 'alert_percents' | 'is_by_member' | 'updated_at'>

export async function updateBudget(tx: Tx, id: number, { alert_percents, ...patch }: BudgetPatch): Promise<void> {
  await tx
    .updateTable('budgets')
    .set({ ...patch, alert_percents: toJsonb(alert_percents) })
    .where('id', '=', id)
    .execute()
}

/** Its windows stay, for statements of the past. */
export async function removeBudget(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('budgets')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Columns that a relay reads of the budgets of a token (`t`) and its user (`u`), and of the project and member that the token belongs to. */
export const rulesOfToken = (): RawBuilder<BudgetRule[] | null> => sql<BudgetRule[] | null>`(
  select jsonb_agg(jsonb_build_object('id', b.id, 'scope', b.scope, 'amount', b.amount, 'window', b."window", 'time_zone', b.time_zone,
    'start_day', b.start_day, 'starts_at', b.starts_at, 'action', b.action, 'is_by_member', coalesce(b.is_by_member, false)) order by b.id)
  from budgets b where b.user_id = u.id and b.token_id in (0, t.id) and b.project_id in (0, coalesce(t.project_id, 0))
    and b.member_id in (0, coalesce(t.created_by, 0)) and b.deleted_at is null)`

/** The counters of one window. */
export type WindowRow = {
  readonly budget_id: number
  readonly user_id: number
  /** 0: the budget is not of a token. */
  readonly token_id: number
  readonly window_start: UnixSeconds
  readonly window_end: UnixSeconds
  /** Spent before the budget was set, less what failed tasks gave back. */
  readonly base: Quota
  readonly spent: Quota
  /** The greatest share, in per cent, of which an alert was sent. */
  readonly alerted_percent: number
}

export type LoadedWindow = Pick<WindowRow, 'budget_id' | 'window_start' | 'base' | 'spent'>

/** A request that runs for longer than this after the end of its window is counted there by Postgres alone. */
const KEPT_SECONDS = 86_400

const windowsWhere = (where: RawBuilder<unknown>): RawBuilder<LoadedWindow[] | null> => sql<LoadedWindow[] | null>`(
  select jsonb_agg(jsonb_build_object('budget_id', w.budget_id, 'window_start', w.window_start, 'base', w.base, 'spent', w.spent))
  from budget_windows w where ${where} and w.window_end > extract(epoch from now()) - ${KEPT_SECONDS}::int)`

/** The counters that belong to the wallet of a user (`u`), in the statement that reads its sums. */
export const windowsOfWallet = () => windowsWhere(sql`w.user_id = u.id and w.token_id = 0`)
/** Those that belong to a token (`t`). */
export const windowsOfToken = () => windowsWhere(sql`w.user_id = t.user_id and w.token_id = t.id`)

/** The counters of windows that Redis keeps, of users or of tokens. */
export async function listOwnerWindows(
  db: Db | Tx,
  { kind, ids }: { readonly kind: 'user' | 'token'; readonly ids: readonly number[] },
): Promise<(LoadedWindow & { readonly owner_id: number })[]> {
  if (ids.length === 0) return []
  const owner = kind === 'user' ? sql`w.token_id = 0 and w.user_id = x.id` : sql`w.token_id = x.id`
  const { rows } = await sql<LoadedWindow & { readonly owner_id: number }>`
    select x.id as owner_id, w.budget_id, w.window_start, w.base, w.spent
    from ${tableOf(
      ids.map((id) => ({ id })),
      { id: 'bigint' },
    )} join budget_windows w on ${owner}`.execute(db)
  return rows
}

/** The last windows of these budgets for one user, the newest first. */
export async function listBudgetWindows(
  db: Db | Tx,
  { ids, user_id, limit }: { readonly ids: readonly number[]; readonly user_id: number; readonly limit: number },
): Promise<WindowRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<WindowRow>`
    select w.* from ${tableOf(
      ids.map((id) => ({ id })),
      { id: 'bigint' },
    )}
    cross join lateral (
      select budget_id, user_id, token_id, window_start, window_end, base, spent, alerted_percent from budget_windows
      where budget_id = x.id and user_id = ${user_id} order by window_start desc limit ${limit}
    ) w order by w.budget_id, w.window_start desc`.execute(db)
  return rows
}

/** Charges of an owner since the hour of a moment, by the hourly sums: of a project or member, by tokens that belong to it now. */
export async function sumSince(
  tx: Db | Tx,
  { user_id, token_id, project_id, member_id, from }: Omit<BudgetOwner, 'scope' | 'group_name'> & { readonly from: UnixSeconds },
): Promise<Quota> {
  const hour = from - (from % HOUR_SECONDS)
  const { rows } = await sql<{ quota: Quota }>`
    select coalesce(sum(quota), 0)::bigint as quota from usage_hours
    where user_id = ${user_id} and (${token_id}::bigint = 0 or token_id = ${token_id}) and hour >= ${hour}
      and (${project_id}::bigint = 0 or token_id in (select id from tokens where project_id = ${project_id}))
      and (${member_id}::bigint = 0 or token_id in (select id from tokens where user_id = ${user_id} and created_by = ${member_id}))`.execute(
    tx,
  )
  return rows[0]?.quota ?? 0
}

/** Charges of an owner in each hour with one, since the hour of a moment. */
export async function sumHours(
  db: Db | Tx,
  { user_id, token_id, project_id, member_id, from }: HoursOf,
): Promise<{ readonly hour: UnixSeconds; readonly spent: Quota }[]> {
  const since = from - (from % HOUR_SECONDS)
  const { rows } = await sql<{ hour: UnixSeconds; spent: Quota }>`
    select hour, sum(quota)::bigint as spent
    from usage_hours
    where user_id = ${user_id} and (${token_id}::bigint = 0 or token_id = ${token_id}) and hour >= ${since}
      and (${project_id}::bigint = 0 or token_id in (select id from tokens where project_id = ${project_id}))
      and (${member_id}::bigint = 0 or token_id in (select id from tokens where user_id = ${user_id} and created_by = ${member_id}))
    group by hour having sum(quota) <> 0 order by hour`.execute(db)
  return rows
}

type HoursOf = Omit<BudgetOwner, 'scope' | 'group_name'> & { readonly from: UnixSeconds }

/** Budgets of a group are set one after the other: a group has no row that could be locked. */
export async function lockGroupBudgets(tx: Tx, group: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('group budgets'), hashtext(${group}))`.execute(tx)
}

type NewWindow = Omit<WindowRow, 'alerted_percent' | 'spent'>

/** Starts the window in which a budget is set. */
export async function createWindow(tx: Tx, row: NewWindow): Promise<void> {
  await tx.insertInto('budget_windows').values(row).execute()
}

/** True if one of the accounts has a budget that was set after a moment. */
export async function hasBudgetSince(
  tx: Tx,
  { user_ids, since }: { readonly user_ids: readonly number[]; readonly since: UnixSeconds },
): Promise<boolean> {
  const found = await select(tx)
    .where('user_id', 'in', user_ids)
    .where('scope', '<>', 'group')
    .where('created_at', '>', since)
    .limit(1)
    .execute()
  return found.length > 0
}

/** Windows whose `base` has a charge of a token, because their budget was set after it. */
export async function listWindowsWithBase(
  tx: Tx,
  { user_id, token_id, at }: { readonly user_id: number; readonly token_id: number; readonly at: UnixSeconds },
): Promise<Pick<WindowRow, 'budget_id' | 'user_id' | 'token_id' | 'window_start'>[]> {
  const { rows } = await sql<Pick<WindowRow, 'budget_id' | 'user_id' | 'token_id' | 'window_start'>>`
    select w.budget_id, w.user_id, w.token_id, w.window_start
    from budgets b join budget_windows w on w.budget_id = b.id and w.user_id = b.user_id
    left join tokens t on t.id = ${token_id}
    where b.user_id = ${user_id} and b.scope <> 'group' and b.deleted_at is null and b.token_id in (0, ${token_id})
      and b.project_id in (0, coalesce(t.project_id, 0)) and b.member_id in (0, coalesce(t.created_by, 0))
      and (b.project_id = 0 or coalesce(t.project_since, 0) <= b.created_at)
      and b.created_at > ${at} and b.created_at >= w.window_start and b.created_at < w.window_end
      and w.window_start - w.window_start % ${HOUR_SECONDS}::int <= ${at}`.execute(tx)
  return rows
}

/** Gives back a charge in these windows; a negative amount adds one. */
export async function lowerBase(
  tx: Tx,
  windows: readonly Pick<WindowRow, 'budget_id' | 'user_id' | 'window_start'>[],
  amount: Quota,
): Promise<void> {
  for (const { budget_id, user_id, window_start } of windows) {
    await tx
      .updateTable('budget_windows')
      .set((eb) => ({ base: eb('base', '-', amount) }))
      .where('budget_id', '=', budget_id)
      .where('user_id', '=', user_id)
      .where('window_start', '=', window_start)
      .execute()
  }
}

export type WindowSpending = Omit<WindowRow, 'base' | 'alerted_percent'>

/** Adds to windows; `rows` contains each window once, in the order of its key. Only the posting transaction of the user's shard does this. */
export async function addWindowSpending(tx: Tx, rows: readonly WindowSpending[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into budget_windows as w (budget_id, user_id, token_id, window_start, window_end, spent)
    select budget_id, user_id, token_id, window_start, window_end, spent
    from ${tableOf(rows, { budget_id: 'bigint', user_id: 'bigint', token_id: 'bigint', window_start: 'bigint', window_end: 'bigint', spent: 'bigint' })}
    on conflict (budget_id, user_id, window_start) do update set spent = w.spent + excluded.spent`.execute(tx)
}

/** A running window that has passed a share of its amount for which no alert was sent. */
export type DueAlert = BudgetOwner &
  Pick<BudgetRow, 'amount' | 'window' | 'action' | 'alert_percents' | 'time_zone'> &
  WindowRow & {
    /** The name of the token, project or member; empty: the budget is of an account. */
    readonly owner_name: string
  }

/** In the order of budget and user, after a key. */
export async function listDueBudgetAlerts(
  db: Db,
  {
    now,
    after,
    limit,
  }: { readonly now: UnixSeconds; readonly after: readonly [budget_id: number, user_id: number]; readonly limit: number },
): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    select w.budget_id, w.user_id, w.token_id, w.window_start, w.window_end, w.base, w.spent, w.alerted_percent,
      b.scope, b.group_name, b.amount, b."window", b.action, b.alert_percents, b.time_zone, coalesce(t.name, p.name, m.username, '') as owner_name,
      b.project_id, b.member_id
    from budget_windows w join budgets b on b.id = w.budget_id and b.deleted_at is null
    join users u on u.id = w.user_id and u.deleted_at is null
    left join tokens t on t.id = w.token_id and w.token_id > 0
    left join projects p on p.id = b.project_id and b.project_id > 0
    left join users m on m.id = b.member_id and b.member_id > 0
    where w.window_end > ${now} and (w.budget_id, w.user_id) > (${after[0]}::bigint, ${after[1]}::bigint)
      and exists (
        select from jsonb_array_elements(b.alert_percents) p
        where p::int > w.alerted_percent and (w.base + w.spent) * 100 >= b.amount * p::int)
    order by w.budget_id, w.user_id limit ${limit}`.execute(db)
  return rows
}

/** Takes the one notice of a share; false: another worker has taken it. */
export async function takeBudgetAlert(
  tx: Tx,
  { budget_id, user_id, window_start, percent }: Pick<WindowRow, 'budget_id' | 'user_id' | 'window_start'> & { readonly percent: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('budget_windows')
    .set({ alerted_percent: percent })
    .where('budget_id', '=', budget_id)
    .where('user_id', '=', user_id)
    .where('window_start', '=', window_start)
    .where('alerted_percent', '<', percent)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
