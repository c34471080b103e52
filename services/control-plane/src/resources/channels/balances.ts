import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { balanceFault } from '@tollgate/contracts/failures/balance-fault'
import type { ChannelBalance } from '@tollgate/contracts/resources/channels'
import { listChannelBalances } from '@tollgate/db/queries/channels/channel-balances'
import { findChannel } from '@tollgate/db/queries/channels/channels'
import { readChannelRun } from '@tollgate/redis/stores/channel-run'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { startRun } from './runs.ts'

const ONE_DEADLINE_MS = 45_000
/** Existing consoles wait for the whole run; connections do not last longer. */
const ALL_DEADLINE_MS = 110_000
const ASK_EVERY_MS = 250

/** Reads the balance of a channel from its vendor, in the worker, and stores it. */
export async function updateBalance(deps: Deps, id: number): Promise<{ success: boolean; message: string; balance: number }> {
  if ((await findChannel(deps.db, id)) === undefined) throw new AppError('record.missing')
  const result = await deps.jobs.ask('update-balance', { channel_id: id }, ONE_DEADLINE_MS)
  if (result === 'timeout') throw new AppError('channels.test-late')
  if (result.balance !== undefined) return { success: true, message: '', balance: result.balance }
  const { code, params } = balanceFault(result)
  throw new AppError(code, params)
}

/** The balances that were read from the vendor, newest first. */
export function listBalances({ db }: Deps, id: number): Promise<ChannelBalance[]> {
  return listChannelBalances(db, id)
}

/** Reads the balances of all enabled channels; answers when they are all read, or goes on in the background. */
export async function updateBalances(deps: Deps, by: By): Promise<void> {
  const { id } = await startRun(deps, by, { kind: 'balance', capability: 'auto' })
  const until = deps.now() + ALL_DEADLINE_MS
  while (deps.now() < until) {
    const run = await readChannelRun(deps.redis, 'balance', -1)
    if (run === undefined || run.id !== id || run.finished_at > 0) return
    await wait(ASK_EVERY_MS)
  }
}
