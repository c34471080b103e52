import type { Limits } from '@tollgate/contracts/relay/limits'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys, type SharedScope } from '@tollgate/redis/keys'
import type { LimitedBy, OwnLimits, RequestWindow } from '../client/types.ts'
import { numberIn } from '../scripts/scripts.ts'
import { limitArguments } from './limit-state.ts'
import { callLimitScript } from './limit-script.ts'
import type { SharedLimit } from './shared-limits.ts'

/** A limit as it is now. `wait_ms`: until a request fits; 0: now. */
export type PeekedLimit = {
  readonly of: 'user' | 'token' | SharedScope
  readonly name: string
  readonly by: LimitedBy | RequestWindow['name']
  readonly limit: number
  readonly used: number
  /** 0: requests that are open now. */
  readonly window_ms: number
  readonly passes: boolean
  /** 0 also for open requests, which end at no known time. */
  readonly wait_ms: number
}

export type PeekInput = {
  readonly shard: number
  readonly user_id: number
  readonly token_id: number
  readonly windows: readonly RequestWindow[]
  readonly own: OwnLimits | undefined
  readonly shared: readonly SharedLimit[]
  /** Tokens that the request would take of limits on tokens. */
  readonly tokens: number
}

/**
 * Answer of every limit to a request, in the order in which a relay checks them. Reads the counters that reserve and limit-take write, with
 * the same rules, and takes nothing.
 */
export async function peekLimits(
  servers: LedgerServers,
  { shard, user_id, token_id, windows, own, shared, tokens }: PeekInput,
): Promise<PeekedLimit[]> {
  const of = (scope: 'user' | 'token', id: number, limits: Limits) =>
    peekOne(servers, { of: scope, name: String(id), limits, tokens }, [
      keys.minute(shard, scope, id),
      keys.slots(shard, scope, id),
      keys.holds(shard),
    ])
  const asked = [
    ...shared.filter((limit) => limit.of !== 'channel').map((limit) => peekShared(servers, limit, tokens)),
    ...windows.map((window) => peekWindow(servers, keys.userWindow(shard, user_id, window.name), { window, user_id })),
    ...(own === undefined ? [] : [of('user', user_id, own.user), of('token', token_id, own.token)]),
    ...shared.filter((limit) => limit.of === 'channel').map((limit) => peekShared(servers, limit, tokens)),
  ]
  return (await Promise.all(asked)).flat()
}

function peekShared(servers: LedgerServers, limit: SharedLimit, tokens: number): Promise<PeekedLimit[]> {
  const { of, name } = limit
  return peekOne(servers, { ...limit, tokens }, [keys.sharedMinute(of, name), keys.sharedSlots(of, name)])
}

type Asked = { readonly of: PeekedLimit['of']; readonly name: string; readonly limits: Limits; readonly tokens: number }

const MINUTE_MS = 60_000

async function peekOne(servers: LedgerServers, { of, name, limits, tokens }: Asked, keyNames: readonly string[]): Promise<PeekedLimit[]> {
  const { rpm, tpm, concurrency } = limits
  // A request larger than the whole limit takes all of it.
  const taken = Math.min(tokens, tpm ?? 0)
  const reply = await callLimitScript(servers, 'limit-peek', keyNames, [...limitArguments(limits), taken])
  const open = numberIn(reply, 4)
  const perMinute = (by: LimitedBy, limit: number | undefined, at: number): PeekedLimit[] => {
    if (limit === undefined) return []
    const wait_ms = numberIn(reply, at + 1)
    return [{ of, name, by, limit, used: numberIn(reply, at), window_ms: MINUTE_MS, passes: wait_ms === 0, wait_ms }]
  }
  return [
    ...(concurrency === undefined
      ? []
      : [{ of, name, by: 'concurrency', limit: concurrency, used: open, window_ms: 0, passes: open < concurrency, wait_ms: 0 } as const]),
    ...perMinute('requests', rpm, 0),
    ...perMinute('tokens', tpm, 2),
  ]
}

async function peekWindow(
  servers: LedgerServers,
  key: string,
  { window, user_id }: { readonly window: RequestWindow; readonly user_id: number },
): Promise<PeekedLimit[]> {
  const { name: by, max, window_ms } = window
  const reply = await callLimitScript(servers, 'window-peek', [key], [max, window_ms])
  const wait_ms = numberIn(reply, 1)
  return [{ of: 'user', name: String(user_id), by, limit: max, used: numberIn(reply, 0), window_ms, passes: wait_ms === 0, wait_ms }]
}
