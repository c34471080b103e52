import { recordBalance, replaceKeyBalances } from '@tollgate/db/queries/channels/channel-balances'
import type { ChannelRow } from '@tollgate/db/queries/channels/channels'
import { notifyRoots } from '@tollgate/db/queries/deliveries/notifications'
import type { Handler, JobResult } from '@tollgate/jobs/jobs'
import { readBalance } from '@tollgate/upstream/balance'
import type { Deps } from '../deps.ts'
import { countedKeys, readKeyBalances, sumOf, type KeyBalance } from '../channels/key-balances.ts'
import { getOption } from '../channels/incidents.ts'
import { applyBalance } from '../channels/test-evidence.ts'
import { openStoredChannel } from '../channels/stored-channel.ts'

/** Within the job's time two calls of a key can still end. */
const START_WITHIN_MS = 9_000

/** Safe to run twice: stores the latest balance. */
export const updateBalance =
  (deps: Deps): Handler<'update-balance'> =>
  ({ channel_id }) =>
    updateOneBalance(deps, channel_id, START_WITHIN_MS)

/** Reads and stores the sum of the balances of a channel's keys, and each of them. After `startWithinMs` no further key is read. */
export async function updateOneBalance(deps: Deps, id: number, startWithinMs: number): Promise<JobResult<'update-balance'>> {
  const channel = await openStoredChannel(deps, id)
  if (channel === undefined) return { problem: 'missing', detail: '', status: 0 }
  const { row, keys: all, proxy } = channel
  const start = performance.now()
  const keys = countedKeys(all, row.key_states, Math.floor(deps.now() / 1000))
  const balances = await readKeyBalances(keys, {
    read: (key) => readBalance(deps.outbound, { type: row.type, base_url: row.base_url, key, proxy, now: deps.now() }),
    mayGoOn: () => performance.now() - start < startWithinMs,
  })
  await storeKeyBalances(deps, id, all.length > 1 ? balances : [])
  const read = sumOf(balances)
  if (read.kind === 'problem') return { problem: read.problem, detail: read.detail, status: read.status }
  await storeBalance(deps, row, read.balance)
  const change = await applyBalance(deps, id, read.balance)
  return { balance: read.balance, detail: '', status: read.status, ...(change === undefined ? {} : { change }) }
}

/** Stores nothing for a type without a balance call. */
async function storeKeyBalances({ db, now }: Deps, id: number, balances: readonly KeyBalance[]): Promise<void> {
  const at = Math.floor(now() / 1000)
  const rows = balances
    .filter(({ problem }) => problem !== 'unsupported')
    .map(({ key_id, balance = null, detail }) => ({ key_id, at, balance, detail }))
  await db.transaction().execute((tx) => replaceKeyBalances(tx, id, rows))
}

/** Stores a balance with its history, and notifies root when it falls below the threshold. */
async function storeBalance(deps: Deps, { id, name, ...before }: ChannelRow, balance: number): Promise<void> {
  const now = Math.floor(deps.now() / 1000)
  const threshold = await getOption(deps, 'ChannelLowBalance')
  const wasLow = before.balance_updated_time > 0 && before.balance < threshold
  await deps.db.transaction().execute(async (tx) => {
    await recordBalance(tx, { id, balance, now })
    if (wasLow || balance >= threshold) return
    const values = { id: String(id), name, balance: balance.toFixed(2), threshold: String(threshold) }
    await notifyRoots(tx, { notice: 'channel-balance-low', values, now })
  })
}
