import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import type { Quota } from '@tollgate/contracts/units'
import { keys } from '@tollgate/redis/keys'

/** Granted and used quota of an account. Open holds do not count as used. */
export type AccountView = {
  readonly wallet: { readonly given: Quota; readonly used: Quota }
  /** Undefined for an unlimited token: only its wallet is charged. */
  readonly token: { readonly given: Quota; readonly used: Quota } | undefined
}

type Account = { readonly shard: number; readonly user_id: number; readonly token_id: number }

/** Reads wallet and token from Redis; undefined: one of them is cold and must be loaded first. Rejects when Redis does not answer. */
export async function findAccountView(servers: LedgerServers, { shard, user_id, token_id }: Account): Promise<AccountView | undefined> {
  const redis = serverOf(servers, shard)
  const [wallet, token] = await Promise.all([
    redis.hmget(keys.wallet(shard, user_id), 'credited', 'spent'),
    redis.hmget(keys.token(shard, token_id), 'granted', 'charged', 'limited'),
  ])
  const [credited, spent] = wallet
  const [granted, charged, limited] = token
  if (typeof credited !== 'string' || typeof granted !== 'string') return undefined
  return {
    wallet: { given: Number(credited), used: Number(spent) },
    token: limited === '1' ? { given: Number(granted), used: Number(charged) } : undefined,
  }
}
