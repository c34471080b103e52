import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { findAccountView, type AccountView } from '@tollgate/ledger/accounts/account-view'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import type { ControlPlane } from './client.ts'

/** Balances from the ledger, for the billing routes. */
export type Accounts = {
  /** Loads a cold account first; throws AppError if the control plane cannot load it. */
  balances(record: Pick<TokenRecord, 'shard' | 'user_id' | 'token_id'>): Promise<AccountView>
  /** Without what failed tasks gave back, in both sums. Loads a cold account first; throws AppError if the control plane cannot load it. */
  get(record: Pick<TokenRecord, 'shard' | 'user_id' | 'token_id'>): Promise<AccountView>
}

export function createAccounts(redis: LedgerServers, controlPlane: Pick<ControlPlane, 'load' | 'refunds'>): Accounts {
  const balances: Accounts['balances'] = async (record) =>
    (await findAccountView(redis, record)) ?? (await loadView(redis, controlPlane, record))
  return {
    balances,
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

async function loadView(
  redis: LedgerServers,
  controlPlane: Pick<ControlPlane, 'load'>,
  record: Pick<TokenRecord, 'shard' | 'user_id' | 'token_id'>,
): Promise<AccountView> {
  await controlPlane.load({ user_id: record.user_id, token_id: record.token_id }).catch((cause: unknown) => {
    throw new AppError('ledger.cold', {}, { cause })
  })
  const loaded = await findAccountView(redis, record)
  if (loaded === undefined) throw new AppError('ledger.cold')
  return loaded
}
