import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { encodeChannelInfo, parseChannelInfo, withoutDisableReason, type ChannelInfo } from '@tollgate/contracts/channels/channel-info'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { listChannelsToRetest, lockChannelHealth, type ChannelHealthRow } from '@tollgate/db/queries/channels/channel-health'
import { recordChannelTest } from '@tollgate/db/queries/channels/channels'
import { openChannel } from '@tollgate/domain/channel-choice/setting-secrets'
import { modelKindOf } from '@tollgate/domain/channel-models/model-kind'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { Handler } from '@tollgate/jobs/jobs'
import { findPublishedChannel } from '@tollgate/redis/snapshot/snapshot-field'
import { testChannel as probeChannel } from '@tollgate/upstream/probe'
import type { Deps } from '../deps.ts'
import { getOption, saveStatus } from '../channels/incidents.ts'
import { toSetting } from '../channels/to-setting.ts'
import { openStoredChannel } from '../channels/stored-channel.ts'
import { chooseTestModel, isTestable, testListed, toStoredTest } from './test-channel.ts'

const AT_ONCE = 8
/** Candidates of one run; most wait for a later one. */
const MAX_CANDIDATES = 500
/** The longest wait before another probation, and how long one must last to count as passed. */
const DAY_S = 86_400

type RetestDeps = Pick<Deps, 'db' | 'redis' | 'channelKeys' | 'outbound' | 'now'> & { readonly log: Pick<Deps['log'], 'info'> }

/** Idempotent: tests only disabled channels and keys, and enabling an enabled one changes nothing. */
export const retestChannels =
  (deps: RetestDeps): Handler<'retest-channels'> =>
  async (_, { signal }) => {
    if (!(await getOption(deps, 'AutomaticEnableChannelEnabled'))) return { tested: 0, enabled: 0 }
    const interval = await getOption(deps, 'AutomaticEnableInterval')
    const slowest_ms = (await getOption(deps, 'ChannelDisableThreshold')) * 1000
    const now = Math.floor(deps.now() / 1000)
    const candidates = await listChannelsToRetest(deps.db, { tested_before: now - interval, limit: MAX_CANDIDATES })
    const due = candidates.filter(({ other_info }) => isDue(parseChannelInfo(other_info), { now, interval })).slice(0, AT_ONCE)
    const results = await Promise.all(due.map((row) => retest(deps, row, { signal, slowest_ms })))
    return { tested: due.length, enabled: results.filter(Boolean).length }
  }

/** True if the newest evidence is old enough: after each failed probation the wait doubles. */
function isDue(info: ChannelInfo, { now, interval }: { readonly now: number; readonly interval: number }): boolean {
  const { status_time, keys } = info
  const newest = Math.max(status_time ?? 0, ...Object.values(keys ?? {}).map((evidence) => evidence.status_time))
  const wait = Math.min(interval * 2 ** failedProbations(info, newest), Math.max(interval, DAY_S))
  return newest <= now - wait
}

/** Failed probations in a row, before this time. */
function failedProbations({ probation }: ChannelInfo, before: number): number {
  return probation === undefined || before - probation.since > DAY_S ? 0 : probation.tries
}

type Limits = { readonly signal: AbortSignal; readonly slowest_ms: number }

async function retest(deps: RetestDeps, row: ChannelHealthRow, { signal, slowest_ms }: Limits): Promise<boolean> {
  const way = await testWayOf(deps, row)
  if (way !== 'call') return way === 'well' ? await enable(deps, row.id, keyIdsOf(deps, row)) : way === 'none' && (await parole(deps, row))
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

/**
 * How a channel is tested: by a call of its model; or by the vendor's list of models, with its result, where a call costs money; `none`:
 * it has neither.
 */
async function testWayOf(deps: RetestDeps, row: ChannelHealthRow): Promise<'call' | 'well' | 'failed' | 'none'> {
  if (!isTestable(row.type)) return 'none'
  if (modelKindOf(chooseTestModel(row, undefined)) !== 'costly') return 'call'
  const stored = await openStoredChannel(deps, row.id)
  if (stored === undefined) return 'failed'
  const { outcome, test } = await testListed(deps, stored, chooseTestModel(row, undefined))
  await recordChannelTest(deps.db, { id: row.id, test })
  return outcome
}

const keyIdsOf = ({ channelKeys }: RetestDeps, row: ChannelHealthRow): string[] =>
  keysIn(channelKeys.unseal(row.key_sealed, sealedBy.channelKey(row.id)), toSetting(row.setting)).map(keyIdOf)

/** Enables a channel that cannot be tested: if requests fail again for a reason of the account, they disable it, for twice as long. */
async function parole(deps: RetestDeps, row: ChannelHealthRow): Promise<boolean> {
  const info = parseChannelInfo(row.other_info)
  const now = Math.floor(deps.now() / 1000)
  const probation = { tries: failedProbations(info, info.status_time ?? now) + 1, since: now }
  return await enable(deps, row.id, keyIdsOf(deps, row), probation)
}

/** Removes the evidence against the channel and against the keys that answered. */
async function enable(
  { db, log, now }: RetestDeps,
  id: number,
  key_ids: readonly string[],
  probation?: ChannelInfo['probation'],
): Promise<boolean> {
  const isChanged = await db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, id)
    // An operator disabled the channel while the test ran: it stays disabled.
    if (row === undefined || row.status === ChannelStatus.disabled) return false
    const info = key_ids.reduce(
      (left, key_id) => withoutDisableReason(left, key_id),
      withoutDisableReason(parseChannelInfo(row.other_info)),
    )
    const other_info = encodeChannelInfo({ ...info, probation })
    await saveStatus(tx, row, { status: ChannelStatus.enabled, other_info }, Math.floor(now() / 1000))
    return true
  })
  const text = probation === undefined ? 'Channel answers again and was enabled' : 'Channel cannot be tested and was enabled on probation'
  if (isChanged) log.info({ channel_id: id, count: key_ids.length }, text)
  return isChanged
}
