import { keyIdOf } from '@tollgate/config/sealing'
import { parseKeyStates } from '@tollgate/contracts/channels/channel-keys'
import type { ReadProblem, BalanceResult } from '@tollgate/upstream/balance'

/** Calls to one vendor at the same time. */
const AT_ONCE = 6
/** The vendor refuses the key itself: nothing can be spent with it. */
const REFUSED: ReadonlySet<number> = new Set([401, 402, 403])

export type KeyBalance = {
  readonly key_id: string
  /** Absent when it could not be read. */
  readonly balance?: number
  readonly problem?: ReadProblem
  readonly detail: string
  readonly status: number
}

/** The keys whose balances count: those that no operator disabled and that have not expired; the first key when there is none. */
export function countedKeys(keys: readonly string[], key_states: string, nowSeconds: number): readonly string[] {
  const states = parseKeyStates(key_states)
  const counted = [...new Set(keys)].filter((key) => {
    const { disabled_at, expires_at } = states[keyIdOf(key)] ?? {}
    return disabled_at === undefined && (expires_at === undefined || expires_at > nowSeconds)
  })
  return counted.length === 0 ? keys.slice(0, 1) : counted
}

type Reading = {
  readonly read: (key: string) => Promise<BalanceResult>
  /** True if a further call may start. */
  readonly mayGoOn: () => boolean
}

/** The balance of each key, in the order of the keys. A key whose turn did not come has a problem. */
export async function readKeyBalances(keys: readonly string[], { read, mayGoOn }: Reading): Promise<readonly KeyBalance[]> {
  const found = keys.map((key): KeyBalance => ({ key_id: keyIdOf(key), problem: 'network', detail: 'not read in time', status: 0 }))
  const queue = keys.entries()
  const work = async (): Promise<void> => {
    for (const [at, key] of queue) {
      if (at > 0 && !mayGoOn()) return
      const result = await read(key)
      const { status } = result
      const of = { key_id: keyIdOf(key), status }
      found[at] = result.kind === 'balance' ? { ...of, balance: result.balance, detail: '' } : { ...of, ...result }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, keys.length) }, work))
  return found
}

/**
 * The sum of all keys. A refused key counts as 0 if another one was read. Any other problem is the problem of the channel: a sum
 * without that key would look as if its money were gone.
 */
export function sumOf(balances: readonly KeyBalance[]): BalanceResult {
  const isRefused = ({ problem, status }: KeyBalance): boolean => problem === 'status' && REFUSED.has(status)
  const isRead = balances.some(({ balance }) => balance !== undefined)
  const failed = balances.find((one) => one.problem !== undefined && !(isRead && isRefused(one)))
  if (failed?.problem !== undefined) return { kind: 'problem', problem: failed.problem, detail: failed.detail, status: failed.status }
  const sum = balances.reduce((total, { balance = 0 }) => total + balance, 0)
  return { kind: 'balance', balance: Math.round(sum * 1e6) / 1e6, status: 200 }
}
