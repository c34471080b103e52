import { AppError } from '@tollgate/contracts/app-error'
import type { GroupSnapshot } from '@tollgate/contracts/relay/snapshot'
import { listTokenGroups } from '@tollgate/domain/access/group'
import { groupRatioOf } from '@tollgate/domain/pricing/group-ratio'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Accounts } from '../control-plane/accounts.ts'
import type { Heartbeat } from '@tollgate/ledger/client/types'
import { listBudgets } from './budgets.ts'
import { requireBudgets } from './require-budgets.ts'
import type { Caller } from '../request/caller.ts'
import type { RequestContext } from '../request/context.ts'

type Deps = {
  readonly accounts: Accounts
  readonly heartbeat: Pick<Heartbeat, 'redisNow'>
  readonly config: Pick<RuntimeConfig, 'snapshot' | 'settings' | 'listChannels'>
}

/**
 * Refuses a caller whose wallet, token or budget has nothing left, before a large body is read. `reserve` decides about all others, with
 * the price of the request; here nothing of it is known but its head.
 */
export async function requireFunds(context: Pick<RequestContext, 'reply'>, { record }: Caller, deps: Deps): Promise<void> {
  const { accounts, config } = deps
  if (hasFreeModels(record, config)) return
  const view = await accounts.balances(record).catch(leaveToReserve)
  if (view === undefined) return
  if (view.wallet.given - view.wallet.used < 1) throw new AppError('quota.user-empty')
  if (view.token !== undefined && view.token.given - view.token.used < 1) throw new AppError('token.empty')
  await requireBudgets(context, { record, rules: listBudgets(record, config), least: 1 }, deps).catch(leaveToReserve)
}

/** Redis did not answer; `reserve` says what that means for the request. */
function leaveToReserve(error: unknown): undefined {
  if (error instanceof AppError) throw error
  return undefined
}

/** True if a group costs nothing, or one of its models does. */
const hasFreeRatio = (group: GroupSnapshot | undefined, userGroup: string): boolean =>
  groupRatioOf(group, { userGroup, model: '' }).group_ratio === 0 || Object.values(group?.ratio_of ?? {}).includes(0)

/** Whatever the balance, a caller may call models that cost nothing, if its groups have them. */
function hasFreeModels(record: Caller['record'], config: Deps['config']): boolean {
  const { prices, groups } = config.snapshot
  const names = listTokenGroups(record, groups, config.settings.auto_groups)
  if (names.some((name) => hasFreeRatio(groups.get(name), record.user_group))) return true
  return prices
    .values()
    .some(({ model, price, ratio }) => (price ?? ratio) === 0 && names.some((name) => config.listChannels(name, model).length > 0))
}
