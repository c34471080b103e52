import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import { decodeBudgets, type BudgetPart } from '../client/budget-args.ts'
import { decodeHold, type OpenHold } from '../client/hold-codec.ts'
import { keys } from '@tollgate/redis/keys'
import { callScript } from '../scripts/scripts.ts'

export type HotAccount = { readonly given: number; readonly used: number; readonly held: number; readonly version: number }
export type Unposted = {
  readonly n: number
  readonly user_id: number
  readonly token_id: number
  readonly charge: number
  readonly token_charge: number
  readonly budgets: readonly BudgetPart[]
}

/** One consistent read of a shard: accounts (undefined: cold), events after a stream id, open holds. */
export type ShardView = {
  readonly n: number
  readonly wallets: readonly (HotAccount | undefined)[]
  readonly tokens: readonly (HotAccount | undefined)[]
  readonly unposted: readonly Unposted[]
  readonly holds: readonly { readonly request_id: string; readonly hold: OpenHold }[]
  /** Counters of budgets, with the key of their account. */
  readonly budgets: readonly { readonly key: string; readonly field: string; readonly value: number }[]
}

/** For the verifier; throws when the fence is closed, because there is nothing to compare then. */
export async function inspectShard(
  servers: LedgerServers,
  shard: number,
  { after, userIds, tokenIds }: { readonly after: string; readonly userIds: readonly number[]; readonly tokenIds: readonly number[] },
): Promise<ShardView> {
  const accounts = [...userIds.map((id) => keys.wallet(shard, id)), ...tokenIds.map((id) => keys.token(shard, id))]
  const outcome = await callScript(
    servers,
    shard,
    'inspect',
    [keys.fence(shard), keys.usage(shard), keys.holds(shard), ...accounts],
    [after, userIds.length],
  )
  if (outcome.kind === 'closed') throw new Error('the ledger fence is closed: start the worker first')
  if (outcome.kind === 'unavailable') throw new Error('Redis does not answer', { cause: outcome.cause })
  const [, n, wallets, tokens, unposted, holds, budgets] = outcome.reply
  return {
    n: Number(n),
    wallets: toList(wallets).map(toAccount),
    tokens: toList(tokens).map(toAccount),
    unposted: toChunks(toList(unposted).map(String), 6).map(([eventN, user_id, token_id, charge, token_charge, budgets = '']) => ({
      n: Number(eventN),
      user_id: Number(user_id),
      token_id: Number(token_id),
      charge: Number(charge),
      token_charge: Number(token_charge),
      budgets: decodeBudgets(budgets),
    })),
    holds: toChunks(toList(holds).map(String), 2).flatMap(([request_id = '', text = '']) => {
      const hold = decodeHold(text)
      return hold?.kind === 'open' ? [{ request_id, hold }] : []
    }),
    budgets: toChunks(toList(budgets).map(String), 3).map(([key = '', name = '', value]) => ({ key, field: name, value: Number(value) })),
  }
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function toAccount(value: unknown): HotAccount | undefined {
  if (!Array.isArray(value)) return undefined
  const [given = 0, used = 0, held = 0, version = 0] = value.map(Number)
  return { given, used, held, version }
}

function toChunks<T>(flat: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(flat.length / size) }, (_, index) => flat.slice(index * size, (index + 1) * size))
}
