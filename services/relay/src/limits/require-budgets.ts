import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { Quota } from '@tollgate/contracts/units'
import type { Heartbeat } from '@tollgate/ledger/client/types'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Accounts } from '../control-plane/accounts.ts'
import type { RequestContext } from '../request/context.ts'
import { countedBudgets, overBudget } from './budgets.ts'

type Deps = {
  readonly accounts: Pick<Accounts, 'budgets'>
  readonly heartbeat: Pick<Heartbeat, 'redisNow'>
  readonly config: Pick<RuntimeConfig, 'settings'>
}
type Needed = {
  readonly record: Pick<TokenRecord, 'shard' | 'user_id' | 'token_id'>
  readonly rules: readonly BudgetRule[]
  /** The least that must be left. */
  readonly least: Quota
}

/**
 * Refuses what does not fit into a budget beside what is spent. Holds of running requests are ignored, because most of them are given
 * back. Rejects when Redis does not answer.
 */
export async function requireBudgets(
  context: Pick<RequestContext, 'reply'>,
  { record, rules, least }: Needed,
  { accounts, heartbeat, config }: Deps,
): Promise<void> {
  if (!rules.some(({ action }) => action === 'refuse')) return
  const now = heartbeat.redisNow(record.shard)
  const windows = countedBudgets(rules, Math.floor(now / 1000))
  const counters = await accounts.budgets(record, windows)
  for (const [index, { spent }] of counters.entries()) {
    const cap = windows[index]?.cap
    if (cap !== undefined && cap - spent < least)
      throw overBudget(context, { rules, windows, short: { kind: 'budget-short', index, spent, held: 0 }, least, now }, config.settings)
  }
}
