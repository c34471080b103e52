import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/internal-api'
import { findAccountView, type AccountView } from '@tollgate/ledger/accounts/account-view'
import type { Redis } from '@tollgate/redis/connect'
import type { ControlPlane } from './client.ts'

/** Balances from the ledger, for the billing routes. */
export type Accounts = {
  /** Loads a cold account first; throws AppError if the control plane cannot load it. */
  get(record: Pick<TokenRecord, 'shard' | 'user_id' | 'token_id'>): Promise<AccountView>
}

export function createAccounts(redis: Redis, controlPlane: Pick<ControlPlane, 'load'>): Accounts {
  return {
    get: async (record) => {
      const hot = await findAccountView(redis, record)
      if (hot !== undefined) return hot
      await controlPlane.load({ user_id: record.user_id, token_id: record.token_id }).catch((cause: unknown) => {
        throw new AppError('ledger.cold', {}, { cause })
      })
      const loaded = await findAccountView(redis, record)
      if (loaded === undefined) throw new AppError('ledger.cold')
      return loaded
    },
  }
}
