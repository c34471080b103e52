import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { encodeChannelInfo, parseChannelInfo, withoutDisableReason, type ChannelInfo } from '@tollgate/contracts/channel-info'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { listChannelsToRetest, lockChannelHealth, type ChannelHealthRow } from '@tollgate/db/queries/channel-health'
import { recordChannelTest } from '@tollgate/db/queries/channels'
import { openChannel } from '@tollgate/domain/channel-choice/setting-secrets'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { Handler } from '@tollgate/jobs/jobs'
import { findPublishedChannel } from '@tollgate/redis/snapshot/snapshot-field'
import { testChannel as probeChannel } from '@tollgate/upstream/probe'
import type { Deps } from '../deps.ts'
import { getOption, saveStatus } from '../health-of-channels/incidents.ts'
import { toSetting } from '../health-of-channels/to-setting.ts'
import { chooseTestModel, toStoredTest } from './test-channel.ts'

const AT_ONCE = 8

type RetestDeps = Pick<Deps, 'db' | 'redis' | 'channelKeys' | 'outbound' | 'now'> & { readonly log: Pick<Deps['log'], 'info'> }

/** Idempotent: tests only disabled channels and keys, and enabling an enabled one changes nothing. */
export const retestChannels =
  (deps: RetestDeps): Handler<'retest-channels'> =>
  async (_, { signal }) => {
    if (!(await getOption(deps, 'AutomaticEnableChannelEnabled'))) return { tested: 0, enabled: 0 }
    const interval = await getOption(deps, 'AutomaticEnableInterval')
    const slowest_ms = (await getOption(deps, 'ChannelDisableThreshold')) * 1000
    const now = Math.floor(deps.now() / 1000)
    const due = (await listChannelsToRetest(deps.db, { tested_before: now - interval, limit: AT_ONCE })).filter(
      ({ other_info }) => newestOf(parseChannelInfo(other_info)) <= now - interval,
    )
    const results = await Promise.all(due.map((row) => retest(deps, row, { signal, slowest_ms })))
    return { tested: due.length, enabled: results.filter(Boolean).length }
  }

/** Time of the newest evidence, in unix seconds. */
function newestOf({ status_time, keys }: ChannelInfo): number {
  return Math.max(status_time ?? 0, ...Object.values(keys ?? {}).map((evidence) => evidence.status_time))
}

type Limits = { readonly signal: AbortSignal; readonly slowest_ms: number }

async function retest(deps: RetestDeps, row: ChannelHealthRow, { signal, slowest_ms }: Limits): Promise<boolean> {
  const published = await findPublishedChannel(deps.redis, row.id)
  if (published === undefined) return false
  const channel = openChannel(published, (sealed) => deps.channelKeys.unseal(sealed, sealedBy.channelSetting(row.id)))
  const keys = keysIn(deps.channelKeys.unseal(row.key_sealed, sealedBy.channelKey(row.id)), toSetting(row.setting))
  const { keys: out = {} } = parseChannelInfo(row.other_info)
  const suspects = keys.filter((key) => keys.length === 1 || out[keyIdOf(key)] !== undefined)
  const model = chooseTestModel(row, undefined)
  const tests = await Promise.all(
    (suspects.length === 0 ? keys : suspects).slice(0, AT_ONCE).map(async (key) => {
      const result = await probeChannel(deps.outbound, { channel, key, model, signal })
      return { key_id: keyIdOf(key), result, isWell: result.ok && (slowest_ms === 0 || result.time_ms <= slowest_ms) }
    }),
  )
  // The slowest of the failed ones, or of all when none failed.
  const failed = tests.filter(({ result }) => !result.ok)
  const shown = (failed.length === 0 ? tests : failed).toSorted((a, b) => b.result.time_ms - a.result.time_ms)[0]?.result
  if (shown !== undefined) await recordChannelTest(deps.db, { id: row.id, test: toStoredTest(shown, model, deps.now()) })
  const well = tests.filter(({ isWell }) => isWell).map(({ key_id }) => key_id)
  if (well.length === 0) return false
  return await enable(deps, row.id, well)
}

/** Removes the evidence against the channel and against the keys that answered. */
async function enable({ db, log, now }: RetestDeps, id: number, key_ids: readonly string[]): Promise<boolean> {
  const isChanged = await db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, id)
    // An operator disabled the channel while the test ran: it stays disabled.
    if (row === undefined || row.status === ChannelStatus.disabled) return false
    const info = key_ids.reduce(
      (left, key_id) => withoutDisableReason(left, key_id),
      withoutDisableReason(parseChannelInfo(row.other_info)),
    )
    await saveStatus(tx, row, { status: ChannelStatus.enabled, other_info: encodeChannelInfo(info) }, Math.floor(now() / 1000))
    return true
  })
  if (isChanged) log.info({ channel_id: id, count: key_ids.length }, 'Channel answers again and was enabled')
  return isChanged
}
