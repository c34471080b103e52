import type { ChannelTraffic } from '@tollgate/contracts/channels/effective-cost'
import { LogType } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { TrafficTally } from '@tollgate/domain/channel-health/traffic-sums'
import type { Tx } from '../../connect.ts'
import { readRecentLogs } from './recent-logs.ts'

type Range = { readonly since: UnixSeconds; readonly most: number }

/** The newest requests since a time, at most so many; a group whose ratio is 0 hides what its requests cost. */
export async function listChannelTraffic(tx: Tx, { since, most }: Range): Promise<{ rows: ChannelTraffic[]; is_cut: boolean }> {
  const tally = new TrafficTally()
  let read = 0
  for await (const rows of readRecentLogs(tx, { since, types: [LogType.consume, LogType.error], has: 'quote' }, most)) {
    for (const row of rows) tally.add(row)
    read += rows.length
  }
  return { rows: tally.rows(), is_cut: read >= most }
}
