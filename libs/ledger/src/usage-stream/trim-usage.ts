import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { callScript } from '../scripts/scripts.ts'

/** Trims the oldest events of a shard down to `keep`, but never an unposted one. Does nothing while the fence is closed. */
export async function trimUsage(
  servers: LedgerServers,
  { shard, posted_n, keep }: { readonly shard: number; readonly posted_n: number; readonly keep: number },
): Promise<void> {
  const outcome = await callScript(servers, shard, 'trim', [keys.fence(shard), keys.usage(shard)], [posted_n, keep])
  if (outcome.kind === 'unavailable') throw new Error('Redis did not answer while trimming a usage stream', { cause: outcome.cause })
}
