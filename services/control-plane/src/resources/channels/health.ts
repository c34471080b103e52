import { AppError } from '@tollgate/contracts/app-error'
import { EXPIRING_SECONDS } from '@tollgate/contracts/channels/channel-keys'
import { inLanguage } from '@tollgate/contracts/failures/fault'
import type { ModelCheck } from '@tollgate/contracts/models/model-check'
import type { ChannelAttention, ChannelHealth } from '@tollgate/contracts/resources/channels'
import { DAY_SECONDS, type Quota } from '@tollgate/contracts/units'
import {
  clearChannelFailures,
  listChannelFailures,
  recordChannelFailures,
  type ChannelFailure,
} from '@tollgate/db/queries/channels/channel-failures'
import { listChannelSpend, type ChannelSpend } from '@tollgate/db/queries/channels/channel-spend'
import { countStates, type StateFacts } from '@tollgate/db/queries/channels/channel-states'
import { findChannel, listSettings } from '@tollgate/db/queries/channels/channels'
import { listStoredHealth } from '@tollgate/db/queries/channels/model-checks'
import type { Language } from '@tollgate/http/language'
import { failsStill, isOpenFailure } from '@tollgate/domain/channel-health/failure'
import { activityStarts, p95Of, sumActivity } from '@tollgate/domain/channel-health/activity'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { costOf } from '@tollgate/domain/channel-health/cost'
import { channelCost } from '@tollgate/domain/channel-health/effective-cost'
import { readEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import {
  readAllActivity,
  readChannelActivity,
  readChannelErrors,
  readOpenBreakers,
  type OpenBreaker,
} from '@tollgate/redis/stores/channel-activity'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { parseObject } from './fields.ts'

/** The health of these channels: counts and breakers from Redis, money from the sums per hour. */
export async function listChannelHealth(deps: Deps, ids: readonly number[], language: Language): Promise<ChannelHealth[]> {
  const now = nowSeconds(deps)
  const [periods, errors, breakers, stored, failures, costs] = await Promise.all([
    readChannelActivity(deps.redis, { starts: activityStarts(now), ids }),
    readChannelErrors(deps.redis, ids),
    readOpenBreakers(deps.redis, deps.now()),
    readStored(deps, ids),
    readFailures(deps),
    readEffectiveCosts(deps.redis),
  ])
  const breakersOf = Map.groupBy(breakers, ({ channel_id }) => channel_id)
  return ids.map((channel_id) => {
    const ofChannel = periods.map((period) => period.get(channel_id))
    const { ok, failed, latency } = sumActivity(ofChannel)
    const open = breakersOf.get(channel_id) ?? []
    const error = errors.get(channel_id)
    const failure = failures.get(channel_id)
    const p95_ms = p95Of(latency)
    const { tests, models, keys_disabled, spent_today, cost_today, ratioOf } = stored.of(channel_id)
    const effective = channelCost(costs?.rows.filter((row) => row.channel_id === channel_id) ?? [], ratioOf)
    return {
      channel_id,
      is_failing: failsStill({ periods: ofChannel, hasOpenBreaker: isOut(open), lastFailedAt: error?.at, stored: failure }),
      ...(failure !== undefined && isOpenFailure(failure) ? { failing_since: Math.floor(failure.since / 1000) } : {}),
      ok,
      failed,
      ...(p95_ms === undefined ? {} : { p95_ms }),
      periods: ofChannel.map((period) => ({ ok: period?.ok ?? 0, failed: period?.failed ?? 0 })),
      breakers: withoutRepeats(open),
      ...(error === undefined ? {} : { last_error: toLastError(error) }),
      tests: tests.map((test) => inLanguage(test, language)),
      ...(models === undefined ? {} : { models: checkInLanguage(models, language) }),
      keys_disabled,
      spent_today,
      ...(cost_today === undefined ? {} : { cost_today }),
      ...(costs === undefined || effective === undefined ? {} : { effective_cost: { ...effective, at: costs.at, hours: costs.hours } }),
    }
  })
}

function checkInLanguage({ error, fault, ...rest }: ModelCheck, language: Language): ModelCheck {
  return { ...rest, error: inLanguage({ message: error, fault }, language).message }
}

/** How many channels need an operator, by reason. */
export async function getAttention(deps: Deps): Promise<ChannelAttention> {
  return countStates(deps.db, await readStateFacts(deps))
}

/** Facts that decide about the states of channels beside their rows. */
export async function readStateFacts(deps: Deps): Promise<StateFacts> {
  const [failing, options] = await Promise.all([listFailing(deps), deps.options.all()])
  return { failing, low_balance: options.ChannelLowBalance, expiring_before: nowSeconds(deps) + EXPIRING_SECONDS }
}

/** The channels that fail. */
export async function listFailing(deps: Deps): Promise<number[]> {
  const [periods, breakers, failures] = await Promise.all([
    readAllActivity(deps.redis, activityStarts(nowSeconds(deps))),
    readOpenBreakers(deps.redis, deps.now()),
    readFailures(deps),
  ])
  const out = new Set(breakers.filter(({ state }) => state === 'open').map(({ channel_id }) => channel_id))
  const ids = [...new Set([...periods.flatMap((period) => [...period.keys()]), ...out, ...failures.keys()])]
  const errors = await readChannelErrors(deps.redis, ids)
  return ids.filter((id) =>
    failsStill({
      periods: periods.map((period) => period.get(id)),
      hasOpenBreaker: out.has(id),
      lastFailedAt: errors.get(id)?.at,
      stored: failures.get(id),
    }),
  )
}

/** Failures that the worker keeps, by channel. */
async function readFailures({ db }: Deps): Promise<ReadonlyMap<number, ChannelFailure>> {
  return new Map((await listChannelFailures(db)).map((failure) => [failure.channel_id, failure]))
}

/** Ends a failure as a person sees it: the channel needs attention again when another call fails. */
export async function acknowledgeFailure(deps: Deps, id: number, by: By): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if ((await findChannel(tx, id)) === undefined) throw new AppError('record.missing')
    const now = deps.now()
    // A channel that fails since a moment ago is not kept yet.
    await recordChannelFailures(tx, [{ channel_id: id, failed_at: now - 1, status: 0, message: '', model: '' }])
    await clearChannelFailures(tx, [id], now)
    await recordAudit(deps, tx, by, [{ action: 'dismiss', resource: 'channel', resource_id: String(id) }])
  })
}

/** Every relay reports the same breaker; the one that waits longest counts. */
function withoutRepeats(breakers: readonly OpenBreaker[]): ChannelHealth['breakers'] {
  const longest = new Map<string, ChannelHealth['breakers'][number]>()
  for (const { channel_id: _channel, ...breaker } of breakers.toSorted((a, b) => a.remaining_ms - b.remaining_ms))
    longest.set(`${breaker.key_id}|${breaker.model}`, breaker)
  return [...longest.values()]
}

const isOut = (breakers: readonly OpenBreaker[]): boolean => breakers.some(({ state }) => state === 'open')

async function readStored(deps: Deps, ids: readonly number[]) {
  const from = nowSeconds(deps) - (nowSeconds(deps) % DAY_SECONDS)
  const [groupRatios, [known, settings, spend]] = await Promise.all([
    deps.options.get('GroupRatio'),
    withReadSnapshot(
      deps,
      async (tx) => [await listStoredHealth(tx, ids), await listSettings(tx, ids), await listChannelSpend(tx, { ids, from })] as const,
    ),
  ])
  const spendOf: ReadonlyMap<number, ChannelSpend[]> = Map.groupBy(spend, ({ channel_id }) => channel_id)
  return {
    of: (id: number) => {
      const parts = spendOf.get(id) ?? []
      const setting = parseObject(settings.get(id) ?? '') ?? {}
      const ratioOf = (model: string): number => costRatioOf({ setting }, model)
      const spent_today: Quota = parts.reduce((sum, { quota }) => sum + quota, 0)
      const cost_today = costOf(parts, { setting, groupRatios })
      const { tests = [], models, keys_disabled = 0 } = known.get(id) ?? {}
      return { tests, models, keys_disabled, spent_today, cost_today, ratioOf }
    },
  }
}

function toLastError({ at, ...error }: { at: number; status: number; message: string; model: string; request_id: string }) {
  return { ...error, time: Math.floor(at / 1000) }
}
