import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'

/** A window of a budget, of a wallet or, with a token, of a token. */
export type CounterQuery = {
  readonly shard: number
  readonly user_id: number
  /** 0: of the wallet. */
  readonly token_id: number
  readonly budget_id: number
  readonly start: UnixSeconds
}
export type BudgetCounter = { readonly spent: Quota; readonly held: Quota }

/** Amounts spent and held in windows, in the order asked; undefined: the account is cold. Rejects when Redis does not answer. */
export async function readBudgetCounters(servers: LedgerServers, asked: readonly CounterQuery[]): Promise<(BudgetCounter | undefined)[]> {
  return await Promise.all(
    asked.map(async ({ shard, user_id, token_id, budget_id, start }) => {
      const key = token_id === 0 ? keys.wallet(shard, user_id) : keys.token(shard, token_id)
      const window = `${budget_id}:${start}`
      const [version, spent, held, base] = await serverOf(servers, shard).hmget(key, 'version', `bs${window}`, `bh${window}`, `bb${window}`)
      if (typeof version !== 'string') return undefined
      return { spent: Number(spent ?? 0) + Number(base ?? 0), held: Number(held ?? 0) }
    }),
  )
}
