import { sql } from 'kysely'
import { serverOf } from '@tollgate/redis/ledger-servers'
import { decodeBudgets } from '@tollgate/ledger/client/budget-args'
import { keys } from '@tollgate/redis/keys'
import { lostItsHold } from './unrecoverable.ts'
import type { LogRow } from './audit-requests.ts'
import { PRICES } from './script.ts'
import type { ClientRequest } from './load.ts'
import type { InjectedFault } from './fault-injector.ts'
import { openLedgerOf, type Cluster } from './cluster.ts'

export type BalanceAudit = {
  readonly overspent: readonly string[]
  readonly drifted: readonly string[]
  /** Below zero only because a store that came back older lost a hold or a credit. */
  readonly swapped: readonly string[]
}

type BalanceAuditInput = {
  readonly rows: readonly LogRow[]
  readonly requests: readonly ClientRequest[]
  readonly injected: readonly InjectedFault[]
  /** Amounts credited and granted: shows what a rollback took back. */
  readonly funding: ReadonlyMap<string, number>
}

/** Windows of budgets that counted a request, and those of them in which no further call fits. */
type BudgetWindows = { readonly counted: number; readonly reached: number }

/** A wallet, token or window of a budget as Postgres has it. */
type Account = { readonly name: string; readonly got: number; readonly charged: number; readonly used: number }

/**
 * Compares wallets and tokens with the log rows, independently of `verify:ledger`. A refund may take what was spent already, so wallets are
 * counted before their debits.
 */
export async function auditBalances(
  { db }: Cluster,
  input: BalanceAuditInput,
): Promise<BalanceAudit & { readonly budgets: BudgetWindows }> {
  const { rows: users } = await sql<{ id: number; credited: number; spent: number; refunded: number }>`
    select id, spent, refunded, credited - coalesce((select sum(amount) from wallet_entries e where e.user_id = u.id and amount < 0), 0)::bigint as credited
    from users u`.execute(db)
  const tokens = await db.selectFrom('tokens').select(['id', 'granted', 'charged', 'used_quota']).execute()
  const windows = await db
    .selectFrom('budget_windows as w')
    .innerJoin('budgets as b', 'b.id', 'w.budget_id')
    .select(['w.budget_id', 'w.window_start', 'w.base', 'w.spent', 'b.amount'])
    .execute()
  const audit = compareAccounts(
    [
      ...users.map(({ id, credited, spent, refunded }) => ({
        name: `user ${id}`,
        got: credited,
        charged: spent,
        // Refunds of failed tasks are no use.
        used: spent - refunded,
      })),
      ...tokens.map(({ id, granted, charged, used_quota }) => ({ name: `token ${id}`, got: granted, charged, used: used_quota })),
      ...windows.map(({ budget_id, window_start, base, spent, amount }) => ({
        name: `budget ${budget_id} from ${window_start}`,
        got: amount,
        charged: base + spent,
        // What failed tasks give back lowers the base.
        used: base + spent,
      })),
    ],
    input,
  )
  const reached = windows.filter(({ base, spent, amount }) => amount - base - spent < PRICES.call_quota)
  return { ...audit, budgets: { counted: windows.length, reached: reached.length } }
}

export function compareAccounts(accounts: readonly Account[], input: BalanceAuditInput): BalanceAudit {
  const sums = sumByAccount(input)
  const balances = { overspent: new Array<string>(), drifted: new Array<string>(), swapped: new Array<string>() }
  for (const { name, got, charged, used } of accounts) {
    const sum = sums.get(name) ?? { used: 0, excess: 0, chargedWithoutHold: 0 }
    if (sum.used !== used) balances.drifted.push(`${name}: used ${used}, rows ${sum.used}`)
    const below = charged - got - sum.excess
    if (below <= 0) continue
    const takenBack = Math.max(0, (input.funding.get(name) ?? 0) - got)
    const text =
      `${name}: has ${got}, charged ${charged}, charges over their holds ${sum.excess}, ` +
      `charged without their lost holds ${sum.chargedWithoutHold}, credits taken back ${takenBack}`
    if (below > sum.chargedWithoutHold + takenBack) balances.overspent.push(text)
    else balances.swapped.push(text)
  }
  return balances
}

function sumByAccount({ rows, requests, injected }: BalanceAuditInput): Map<string, Sum> {
  const clients = new Map(requests.map((client) => [`chaos/${client.id}`, client]))
  const sums = new Map<string, Sum>()
  for (const mine of Map.groupBy(rows, ({ request_id }) => request_id).values()) {
    const charge = mine.reduce((sum, { quota }) => sum + quota, 0)
    const client = mine.map(({ user_agent }) => clients.get(user_agent)).find((found) => found !== undefined)
    const lostHold = client !== undefined && lostItsHold(client, bookedAt(mine), injected)
    for (const { name, held } of balancesOf(mine)) {
      const sum = sums.get(name) ?? { used: 0, excess: 0, chargedWithoutHold: 0 }
      sums.set(name, sum)
      sum.used += charge
      if (held !== undefined) sum.excess += Math.max(0, charge - held)
      if (lostHold) sum.chargedWithoutHold += Math.max(0, charge)
    }
  }
  return sums
}

/** The end of the second in which the request was last booked: rows have whole seconds. */
const bookedAt = (rows: readonly LogRow[]): number => Math.max(...rows.map(({ created_at }) => created_at)) * 1000 + 999

type Sum = { used: number; excess: number; chargedWithoutHold: number }

/** Wallet and token of a request, with what it held of each; `undefined` for an unlimited token, which holds nothing. */
function balancesOf(rows: readonly LogRow[]): { readonly name: string; readonly held: number | undefined }[] {
  const [row] = rows
  if (row === undefined) return []
  const token = Math.max(...rows.map(({ token_held }) => token_held))
  return [
    { name: `user ${row.user_id}`, held: Math.max(...rows.map(({ wallet_held }) => wallet_held)) },
    { name: `token ${row.token_id}`, held: token > 0 ? token : undefined },
    ...decodeBudgets(rows.map(({ budgets }) => budgets).find((text) => text !== '') ?? '').map(({ id, start }) => ({
      name: `budget ${id} from ${start}`,
      // A request that its relay did not end has no record of what its budgets held.
      held: Math.max(...rows.map(({ budgets_held }) => budgets_held[String(id)] ?? 0)),
    })),
  ]
}

/** Differences between the balances loaded in Redis and those in Postgres in an idle system, and holds that are left. */
export async function compareRedisWithPostgres(cluster: Cluster): Promise<string[]> {
  const { db } = cluster
  const { servers, close } = await openLedgerOf(cluster, 'plain')
  const different: string[] = []
  const check = (name: string, hot: readonly (string | null)[], cold: readonly number[]): void => {
    if (hot[0] !== null && hot.join() !== cold.join()) different.push(`${name}: Redis ${hot.join()} Postgres ${cold.join()}`)
  }
  try {
    for (const user of await db.selectFrom('users').select(['id', 'shard', 'credited', 'spent']).execute()) {
      const hot = await serverOf(servers, user.shard).hmget(keys.wallet(user.shard, user.id), 'credited', 'spent', 'held')
      check(`user ${user.id} credited, spent, held`, hot, [user.credited, user.spent, 0])
    }
    const tokens = await db
      .selectFrom('tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .select(['t.id', 'u.shard', 't.granted', 't.charged'])
      .execute()
    for (const token of tokens) {
      const hot = await serverOf(servers, token.shard).hmget(keys.token(token.shard, token.id), 'granted', 'charged', 'held')
      check(`token ${token.id} granted, charged, held`, hot, [token.granted, token.charged, 0])
    }
    return different
  } finally {
    close()
  }
}

/** Postgres sessions with a transaction of more than 3 s and the pids that block them, for a system that does not become idle. */
export async function listBlockedQueries({ db }: Cluster): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s pid %s %s since %s s, waits for %s: %s', application_name, pid, state, round(extract(epoch from now() - xact_start)),
      pg_blocking_pids(pid), left(query, 160)) as line
    from pg_stat_activity where xact_start < now() - interval '3 seconds' and pid <> pg_backend_pid()`.execute(db)
  return rows.map(({ line }) => line)
}
