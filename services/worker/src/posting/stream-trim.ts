import { DEFAULT_BACKLOG_CAP } from '@tollgate/ledger/client/ledger'
import { keys } from '@tollgate/redis/keys'
import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { trimUsage } from '@tollgate/ledger/usage-stream/trim-usage'

const KEEP_MS = 15 * 60_000
const NOTE_EVERY_MS = 30_000

type Noted = { readonly at: number; readonly last_id: string }

export type StreamTrim = {
  /** Remembers a posted cursor and trims events that were posted 15 minutes ago. */
  trim(shard: number, posted: { last_id: string; last_n: number }): Promise<void>
}

/**
 * Keeps posted events for 15 minutes, in case Postgres comes back older. The cursors are in memory, so after a restart nothing is
 * trimmed for 15 minutes. Posted events fill at most half of the backlog cap, else a busy shard would refuse requests. See
 * docs/adr/0010-stream-trim-under-load.md.
 */
export function createStreamTrim(redis: LedgerServers, now: () => number, backlogCap: number = DEFAULT_BACKLOG_CAP): StreamTrim {
  const history = new Map<number, Noted[]>()
  return {
    trim: async (shard, { last_id, last_n }) => {
      const noted = history.get(shard) ?? []
      history.set(shard, noted)
      const at = now()
      const newest = noted.at(-1)
      if (newest === undefined || at - newest.at >= NOTE_EVERY_MS) noted.push({ at, last_id })
      let old: Noted | undefined
      while (noted[0] !== undefined && at - noted[0].at >= KEEP_MS) old = noted.shift()
      if (old !== undefined) await serverOf(redis, shard).xtrim(keys.usage(shard), 'MINID', old.last_id)
      const keep = Math.floor(backlogCap / 2)
      if ((await serverOf(redis, shard).xlen(keys.usage(shard))) > keep) await trimUsage(redis, { shard, posted_n: last_n, keep })
    },
  }
}
