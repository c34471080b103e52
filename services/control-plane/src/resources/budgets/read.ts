import type { CheckedBudget } from '@tollgate/contracts/resources/limits'
import { AppError } from '@tollgate/contracts/app-error'
import { BUDGET_DAYS, type Budget, type BudgetDay, type BudgetOwnerQuery } from '@tollgate/contracts/resources/budgets'
import { DAY_SECONDS, type Quota, type UnixSeconds } from '@tollgate/contracts/units'
import {
  findBudget,
  listBudgetsOf,
  listBudgetsOfAccount,
  listBudgetWindows,
  sumHours,
  type BudgetRow,
  type WindowRow,
} from '@tollgate/db/queries/tokens/budgets'
import { listProjectNames } from '@tollgate/db/queries/tokens/projects'
import { findToken, listTokenNames } from '@tollgate/db/queries/tokens/tokens'
import { listUsernames } from '@tollgate/db/queries/users/usernames'
import { findUser, getUserLimits } from '@tollgate/db/queries/users/users'
import { budgetsFor } from '@tollgate/domain/budgets/applicable'
import { usedUpAt } from '@tollgate/domain/budgets/forecast'
import { NEVER, windowAt } from '@tollgate/domain/budgets/window'
import type { Actor } from '@tollgate/http/actor'
import { readBudgetCounters, type BudgetCounter } from '@tollgate/ledger/accounts/budget-view'
import { withTimeout } from '@tollgate/redis/with-timeout'
import { nowSeconds, type Deps } from '../../deps.ts'
import { marksOfBudgets } from '../../managed.ts'
import { getOwner, maySet } from './owner.ts'

/** The running window and the ones before it. */
const WINDOWS = 13
const READ_TIMEOUT_MS = 1000

export async function listOwnerBudgets(deps: Deps, actor: Actor, query: BudgetOwnerQuery): Promise<Budget[]> {
  const owner = await getOwner(deps.db, actor, query)
  return await present(deps, actor, await listBudgetsOf(deps.db, owner), owner.user_id)
}

/** Every budget that counts requests of the caller. */
export async function listOwnBudgets(deps: Deps, actor: Actor): Promise<Budget[]> {
  const rows = await listBudgetsOfAccount(deps.db, { user_id: actor.id, group: actor.group })
  const own = rows.filter(({ scope }) => scope !== 'group')
  const ofGroup = rows.filter(({ scope }) => scope === 'group')
  return await present(deps, actor, budgetsFor(own, ofGroup), actor.id)
}

/** Charges that a budget has counted on each of the last days; with a group's budget, those of the caller. */
export async function listBudgetDays(deps: Deps, actor: Actor, id: number): Promise<BudgetDay[]> {
  const row = await findBudget(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  const { scope, token_id, project_id, member_id, group_name, time_zone } = row
  const isOwnGroup = scope === 'group' && group_name === actor.group
  const user_id = scope === 'group' ? actor.id : row.user_id
  if (!isOwnGroup)
    await getOwner(deps.db, actor, { token_id, project_id, member_id, user_id: scope === 'user' ? user_id : 0, group: group_name })
  const from = nowSeconds(deps) - (BUDGET_DAYS - 1) * DAY_SECONDS
  return inDays(await sumHours(deps.db, { user_id, token_id, project_id, member_id, from }), time_zone)
}

/** Days of the calendar that budgets count by: Postgres reads an offset such as +03:00 the other way round, and knows other names. */
function inDays(hours: readonly { readonly hour: UnixSeconds; readonly spent: Quota }[], time_zone: string): BudgetDay[] {
  const days = new Map<UnixSeconds, Quota>()
  for (const { hour, spent } of hours) {
    const day = windowAt({ window: 'day', time_zone, start_day: 1, starts_at: 0 }, hour).start
    days.set(day, (days.get(day) ?? 0) + spent)
  }
  return [...days].map(([day, spent]) => ({ day, spent })).filter(({ spent }) => spent !== 0)
}

type Account = { readonly user_id: number; readonly token_id: number; readonly user_group: string }

/** The budgets of a request of this account, in the order in which a relay asks them. */
export async function checkBudgets(deps: Deps, { user_id, token_id, user_group }: Account): Promise<CheckedBudget[]> {
  const now = nowSeconds(deps)
  const all = await listBudgetsOfAccount(deps.db, { user_id, group: user_group })
  const token = token_id === 0 ? undefined : await findToken(deps.db, { id: token_id, user_id })
  const isOf = { token: token_id, project: token?.project_id ?? 0, member: token?.created_by ?? 0 } as const
  const own = all.filter(
    ({ scope, ...row }) => scope === 'user' || (scope !== 'group' && row[`${scope}_id`] > 0 && row[`${scope}_id`] === isOf[scope]),
  )
  const rows = budgetsFor(
    own,
    all.filter(({ scope }) => scope === 'group'),
  )
  const [counters, windows] = await Promise.all([
    readCounters(deps, rows, user_id, now),
    listBudgetWindows(deps.db, { ids: rows.map(({ id }) => id), user_id, limit: 1 }),
  ])
  return rows.map((row, at) => {
    const { id, scope, window, amount, action } = row
    const running = windowAt(row, now)
    const stored = windows.find(({ budget_id, window_start }) => budget_id === id && window_start === running.start)
    const { spent, held } = counters[at] ?? { spent: stored === undefined ? 0 : stored.base + stored.spent, held: 0 }
    const end = running.end === NEVER ? 0 : running.end
    return { id, scope, window, amount, spent, held, end, passes: action === 'warn' || spent + held < amount }
  })
}

async function present(deps: Deps, actor: Actor, rows: readonly BudgetRow[], user_id: number): Promise<Budget[]> {
  if (rows.length === 0) return []
  const now = nowSeconds(deps)
  const ids = rows.map(({ id }) => id)
  const [windows, names, projects, members, counters] = await Promise.all([
    user_id === 0 ? [] : listBudgetWindows(deps.db, { ids, user_id, limit: WINDOWS }),
    listTokenNames(deps.db, idsOf(rows, 'token_id')),
    listProjectNames(deps.db, idsOf(rows, 'project_id')),
    listUsernames(deps.db, idsOf(rows, 'member_id')),
    readCounters(deps, rows, user_id, now),
  ])
  const windowsOf = Map.groupBy(windows, ({ budget_id }) => budget_id)
  const named = rows.map((row) => ({
    ...row,
    name: names.get(row.token_id) ?? projects.get(row.project_id) ?? members.get(row.member_id) ?? '',
  }))
  const marks = await marksOfBudgets(deps.db, user_id, named)
  return named.map(({ name: token_name, ...row }, at) => ({
    ...toBudget(row, { actor, now, counter: counters[at], windows: windowsOf.get(row.id) ?? [], token_name }),
    ...marks[at],
  }))
}

const idsOf = (rows: readonly BudgetRow[], column: 'token_id' | 'project_id' | 'member_id'): number[] =>
  rows.map((row) => row[column]).filter((id) => id > 0)

/** Redis' counters now; without an answer, Postgres' sums of a moment ago are shown. */
async function readCounters(
  deps: Deps,
  rows: readonly BudgetRow[],
  user_id: number,
  now: UnixSeconds,
): Promise<(BudgetCounter | undefined)[]> {
  if (user_id === 0 || (await findUser(deps.db, user_id)) === undefined) return []
  const { shard } = await getUserLimits(deps.db, user_id)
  const asked = rows.map((row) => ({ shard, user_id, token_id: row.token_id, budget_id: row.id, start: windowAt(row, now).start }))
  return await withTimeout(
    readBudgetCounters(deps.ledgerRedis, asked),
    READ_TIMEOUT_MS,
    'Redis did not answer the counters of budgets',
  ).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'Budgets are shown without what is not posted yet')
    return []
  })
}

type Shown = {
  readonly actor: Actor
  readonly now: UnixSeconds
  readonly counter: BudgetCounter | undefined
  readonly windows: readonly WindowRow[]
  readonly token_name: string
}

function toBudget(row: BudgetRow, { actor, now, counter, windows, token_name }: Shown): Budget {
  const { group_name, starts_at: _, is_by_member: __, ...shown } = row
  const running = windowAt(row, now)
  const end = running.end === NEVER ? 0 : running.end
  const stored = windows.find(({ window_start }) => window_start === running.start)
  const spent = counter?.spent ?? (stored === undefined ? 0 : stored.base + stored.spent)
  const start = Math.max(running.start, row.window === 'total' ? row.created_at : 0)
  return {
    ...shown,
    alert_percents: [...row.alert_percents],
    group: group_name,
    token_name,
    start,
    end,
    spent,
    held: counter?.held ?? 0,
    ends_at: usedUpAt({ amount: row.amount, spent, start, end, now }),
    past: windows
      .filter(({ window_start }) => window_start < running.start)
      .map((one) => ({ start: one.window_start, end: one.window_end, spent: one.base + one.spent })),
    is_own: maySet(actor, row),
  }
}
