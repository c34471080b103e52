import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/internal-api'
import { findAccountView, type AccountView } from '@tollgate/ledger/accounts/account-view'
import type { Redis } from '@tollgate/redis/connect'
import type { ControlPlane } from './client.ts'

/** Balances as the ledger has them, for those who only want to look. */
export type Accounts = {
  /** A cold account is loaded first; throws AppError where nobody can. */
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
