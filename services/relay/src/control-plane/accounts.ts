import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { findAccountView, type AccountView } from '@tollgate/ledger/accounts/account-view'
import { readBudgetCounters, type BudgetCounter } from '@tollgate/ledger/accounts/budget-view'
import type { CountedBudget } from '@tollgate/ledger/client/budget-args'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import type { ControlPlane } from './client.ts'

type Account = Pick<TokenRecord, 'shard' | 'user_id' | 'token_id'>

/** Balances and counters of budgets from the ledger. Loads a cold account first; throws AppError if the control plane cannot load it. */
export type Accounts = {
  balances(record: Account): Promise<AccountView>
  /** Counters in the order of the windows. */
  budgets(record: Account, windows: readonly CountedBudget[]): Promise<readonly BudgetCounter[]>
  /** Balances without what failed tasks gave back, in both sums. */
  get(record: Account): Promise<AccountView>
}

export function createAccounts(redis: LedgerServers, controlPlane: Pick<ControlPlane, 'load' | 'refunds'>): Accounts {
  const balances: Accounts['balances'] = async (record) =>
    (await findAccountView(redis, record)) ?? (await loadAnd(controlPlane, record, () => findAccountView(redis, record)))
  return {
    balances,
    budgets: async (record, windows) =>
      (await findCounters(redis, record, windows)) ?? (await loadAnd(controlPlane, record, () => findCounters(redis, record, windows))),
    get: async (record) => {
      const { user_id, token_id } = record
      const view = await balances(record)
      const refunds = await controlPlane.refunds({ user_id, token_id }).catch((cause: unknown) => {
        throw new AppError('ledger.unavailable', {}, { cause })
      })
      return {
        wallet: without(refunds.user, view.wallet),
        token: view.token === undefined ? undefined : without(refunds.token, view.token),
      }
    },
  }
}

type Sums = AccountView['wallet']

const without = (refunded: number, { given, used }: Sums): Sums => ({ given: given - refunded, used: used - refunded })

async function findCounters(
  redis: LedgerServers,
  { shard, user_id, token_id }: Account,
  windows: readonly CountedBudget[],
): Promise<readonly BudgetCounter[] | undefined> {
  const asked = windows.map(({ id, account, start }) => ({
    shard,
    user_id,
    token_id: account === 'token' ? token_id : 0,
    budget_id: id,
    start,
  }))
  const found = await readBudgetCounters(redis, asked)
  const known = found.filter((counter) => counter !== undefined)
  return known.length === found.length ? known : undefined
}

async function loadAnd<View>(
  controlPlane: Pick<ControlPlane, 'load'>,
  { user_id, token_id }: Account,
  find: () => Promise<View | undefined>,
): Promise<View> {
  await controlPlane.load({ user_id, token_id }).catch((cause: unknown) => {
    throw new AppError('ledger.cold', {}, { cause })
  })
  const loaded = await find()
  if (loaded === undefined) throw new AppError('ledger.cold')
  return loaded
}
