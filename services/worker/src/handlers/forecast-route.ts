import { keyIdOf, sealedBy, unsealOption } from '@tollgate/config/sealing'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { channelLimits } from '@tollgate/contracts/relay/limits'
import { chainAfter, fallbacksOf, type ModelFallbacks } from '@tollgate/contracts/relay/model-fallbacks'
import { strategyOf } from '@tollgate/contracts/relay/routing-strategies'
import type { RoutingForecast, RoutingQuestion, RoutingRefusal } from '@tollgate/contracts/channels/routing-forecast'
import type { ChannelSnapshot, GroupSnapshot } from '@tollgate/contracts/relay/snapshot'
import { listChannelIds, toList } from '@tollgate/db/queries/channels/abilities'
import { createOptionReader } from '@tollgate/db/option-reader'
import { listTokenOwnersById } from '@tollgate/db/queries/tokens/tokens'
import { AUTO_GROUP, isAutoGroup, listAutoGroups, resolveGroup } from '@tollgate/domain/access/group'
import { isModelAllowed } from '@tollgate/domain/access/model'
import { affinityKeyOf } from '@tollgate/domain/channel-choice/affinity-key'
import { chooseAutoGroup } from '@tollgate/domain/channel-choice/auto-group'
import { ONE_KEY, type ForecastInput, type KeyIds } from '@tollgate/domain/channel-choice/choice'
import { isOnSchedule } from '@tollgate/domain/channel-choice/is-on-schedule'
import { forecastGroups } from '@tollgate/domain/channel-choice/forecast-groups'
import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import { multiKeyModeOf, splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { costReader } from '@tollgate/domain/channel-health/effective-cost'
import { readEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import { usableKeys } from '@tollgate/domain/channel-choice/usable-keys'
import { activityStarts, LATENCY_PERIODS, typicalLatency } from '@tollgate/domain/channel-health/activity'
import type { BreakerState } from '@tollgate/domain/channel-health/breaker'
import { wildcardOf } from '@tollgate/domain/pricing/gizmo'
import { peekLimits } from '@tollgate/ledger/limits/peek-limits'
import type { Handler } from '@tollgate/jobs/jobs'
import { listPublishedChannels, listPublishedGroups } from '@tollgate/redis/snapshot/snapshot-field'
import { readChannelActivity, readOpenBreakers, type OpenBreaker } from '@tollgate/redis/stores/channel-activity'
import { canServe } from '@tollgate/upstream/prepare'
import type { Deps } from '../deps.ts'
import { canFallBack, formatFor } from './routed-operations.ts'

type ForecastDeps = Pick<Deps, 'db' | 'redis' | 'ledgerRedis' | 'channelKeys' | 'secrets' | 'now'>

/**
 * Answers from the published snapshot, the breakers and latencies that the relays report, the limits of channels as they are now and the
 * relay's own rules. Changes nothing.
 */
export const forecastRoute =
  (deps: ForecastDeps): Handler<'forecast-route'> =>
  async (question) => {
    const sender = await readSender(deps, question)
    if ('code' in sender) return { refusal: sender }
    const options = await createOptionReader(deps.db, unsealOption(deps.secrets)).pick([
      'RetryTimes',
      'ChannelAffinityEnabled',
      'AutoGroups',
      'RoutingStrategies',
      'ExactChannelWeights',
      'ModelFallbacks',
    ])
    const asked = { question, sender, order: options.AutoGroups }
    const reached = await reachChannels(deps, asked)
    const next = await reachNext(deps, asked, options.ModelFallbacks)
    // The relay begins with the next model of the chain if it has no channel for the requested one.
    if ('code' in reached && !(PASSED.has(reached.code) && next.length > 0)) return { refusal: reached }
    const groups: readonly GroupChannels[] = 'code' in reached ? next : [...reached.groups, ...next]
    const health = 'code' in reached ? NO_HEALTH : reached.health
    const affinity_key = options.ChannelAffinityEnabled ? affinityOf(question, sender) : undefined
    const allowed_attempts = options.RetryTimes + 1
    const channels = [...new Set(groups.flatMap((one) => one.channels))]
    const [full, latencies, preferenceFor] = await Promise.all([listFull(deps, channels), readLatencies(deps, channels), readCosts(deps)])
    const { rows, attempts, is_cut } = forecastGroups(
      groups,
      {
        keysOf: keyReader(deps),
        healthOf: health.of,
        ...(affinity_key === undefined ? {} : { affinity_key }),
        skip: (channel) => {
          if (!canServe({ channel, model: question.model, formatFor: formatFor(question) })) return 'unsupported'
          return full.has(channel.id) ? 'limit-reached' : undefined
        },
        ofModel: (model) => ({
          ...preferenceFor(model),
          healthOf: groups.find((one) => one.model === model)?.health?.of ?? health.of,
          skip: (channel) => {
            if (!canServe({ channel, model, formatFor: formatFor(question) })) return 'unsupported'
            return full.has(channel.id) ? 'limit-reached' : undefined
          },
        }),
        now: deps.now(),
        strategyFor: (group) => strategyOf(options.RoutingStrategies, group),
        latencyOf: ({ id }) => latencies.get(id),
        ...preferenceFor(question.model),
        region: question.region,
        has_exact_weights: options.ExactChannelWeights,
      },
      allowed_attempts,
    )
    const forecast: RoutingForecast = {
      group: groups[0]?.group ?? '',
      groups: [...new Set(groups.map(({ group }) => group))],
      allowed_attempts,
      attempts,
      is_cut,
      rows: rows.map(({ channel, ...row }) => ({ ...row, upstream_model: upstreamModel(channel, row.model ?? question.model) })),
    }
    return { forecast }
  }

/** Channels that cannot take one more short request. */
async function listFull({ ledgerRedis }: ForecastDeps, channels: readonly ChannelSnapshot[]): Promise<ReadonlySet<number>> {
  const nothing = { shard: 0, user_id: 0, token_id: 0, windows: [], own: undefined, tokens: 1 }
  const found = await Promise.all(
    channels.map(async ({ id, setting }) => {
      const limits = setting['limits'] === undefined ? undefined : channelLimits(setting)
      if (limits === undefined) return []
      const peeked = await peekLimits(ledgerRedis, { ...nothing, shared: [{ of: 'channel', name: String(id), limits }] })
      return peeked.every(({ passes }) => passes) ? [] : [id]
    }),
  )
  return new Set(found.flat())
}

/** The costs that relays go by, for a model. */
async function readCosts({ redis }: ForecastDeps): Promise<(model: string) => Pick<ForecastInput, 'model' | 'costOf'>> {
  const costs = costReader(await readEffectiveCosts(redis))
  return (model) => ({ model, costOf: (channel) => costs(channel.id, model, costRatioOf(channel, model)) })
}

/** The latencies that relays go by; they read them every few seconds. */
async function readLatencies({ redis, now }: ForecastDeps, channels: readonly ChannelSnapshot[]): Promise<ReadonlyMap<number, number>> {
  const ids = channels.map(({ id }) => id)
  const starts = activityStarts(Math.floor(now() / 1000), LATENCY_PERIODS)
  const periods = await readChannelActivity(redis, { starts, ids })
  return new Map(
    ids.flatMap((id) => {
      const ms = typicalLatency(periods.map((period) => period.get(id)))
      return ms === undefined ? [] : [[id, ms] as const]
    }),
  )
}

type Sender = {
  readonly user_id: number
  readonly user_group: string
  readonly group: string
  readonly model_limits: string[] | null
  readonly crosses_groups: boolean
  /** The token's own chain; null: those of the options. */
  readonly fallback_models: readonly string[] | null
}

/** The token's owner and limits; without a token, any user of the group. */
async function readSender({ db }: ForecastDeps, { token_id, group }: RoutingQuestion): Promise<Sender | RoutingRefusal> {
  if (token_id === 0) return { user_id: 0, user_group: group, group, model_limits: null, crosses_groups: false, fallback_models: null }
  const [row] = await listTokenOwnersById(db, [token_id])
  if (row === undefined || row.token_deleted_at !== null) return { code: 'record.missing' }
  const model_limits = row.model_limits_enabled ? toList(row.model_limits) : null
  const fallback_models = row.fallback_models === null ? null : toList(row.fallback_models)
  const { user_id, user_group, group: own } = row
  return { user_id, user_group, group: own, model_limits, crosses_groups: row.cross_group_retry, fallback_models }
}

type Asked = { readonly question: RoutingQuestion; readonly sender: Sender; readonly order: readonly string[] }
type GroupChannels = {
  readonly group: string
  readonly channels: readonly ChannelSnapshot[]
  /** Another model than the requested one, and its health. */
  readonly model?: string
  readonly health?: Health
}
type Reached = { readonly groups: readonly GroupChannels[]; readonly health: Health }

/** The groups and their channels for the model, or why the relay would refuse: in the order of its own checks. */
async function reachChannels(deps: ForecastDeps, { question, sender, order }: Asked): Promise<Reached | RoutingRefusal> {
  const { model } = question
  const groups = await listPublishedGroups(deps.redis)
  const resolved = isAutoGroup(sender, groups) ? undefined : resolveGroup(sender, groups)
  if (resolved?.kind === 'disabled') return { code: 'access.group-disabled', group: resolved.group }
  if (resolved?.kind === 'gone') return { code: 'access.group-gone', group: resolved.group }
  const names = resolved === undefined ? automaticGroups(sender, groups, order) : [resolved.group]
  if (names.length === 0) return { code: 'access.group-disabled', group: AUTO_GROUP }
  const all = await listChannels(deps, { groups: names, model })
  const health = await readHealth(deps, wildcardOf(model) ?? model)
  const inGroup = (name: string): ChannelSnapshot[] => all.filter(({ groups: own }) => own.includes(name))
  const group = resolved?.group ?? chooseAutoGroup(names, { listChannels: inGroup, isHealthy: health.isHealthy(keyReader(deps)) })
  if (!isModelAllowed(sender, model))
    return sender.model_limits?.length === 0 ? { code: 'access.no-model' } : { code: 'access.model', model }
  const channels = inGroup(group)
  if (channels.length === 0) return { code: 'model.unknown', model }
  if (!channels.some(isEnabled)) return { code: 'channel.none', group, model }
  const later = resolved === undefined && sender.crosses_groups ? names.slice(names.indexOf(group) + 1) : []
  const next = later.map((name) => ({ group: name, channels: inGroup(name) }))
  return { groups: [{ group, channels }, ...next.filter((one) => one.channels.some(isEnabled))], health }
}

const PASSED: ReadonlySet<string> = new Set(['model.unknown', 'channel.none'])
const NO_HEALTH: Pick<Health, 'of'> = { of: () => undefined }

/** The groups of the later models of the chain; one that would be refused is passed over. */
async function reachNext(deps: ForecastDeps, asked: Asked, chains: ModelFallbacks): Promise<GroupChannels[]> {
  const { question, sender } = asked
  if (!canFallBack(question)) return []
  const group = sender.group === '' ? sender.user_group : sender.group
  const models = sender.fallback_models ?? fallbacksOf(chains, { group, model: question.model })?.models ?? []
  const found: GroupChannels[] = []
  for (const model of chainAfter(question.model, models)) {
    const reached = await reachChannels(deps, { ...asked, question: { ...question, model } })
    if (!('code' in reached)) found.push(...reached.groups.map((one) => ({ ...one, model, health: reached.health })))
  }
  return found
}

const isEnabled = ({ status }: ChannelSnapshot): boolean => status === ChannelStatus.enabled

/** Without a token the asker stands for a user who may use every group. */
function automaticGroups(sender: Sender, groups: ReadonlyMap<string, GroupSnapshot>, order: readonly string[]): string[] {
  return sender.user_id === 0 ? order.filter((name) => groups.has(name)) : listAutoGroups(sender, groups, order)
}

async function listChannels(
  deps: ForecastDeps,
  { groups, model }: { groups: readonly string[]; model: string },
): Promise<ChannelSnapshot[]> {
  const found = await listPublishedChannels(deps.redis, await listChannelIds(deps.db, { groups, model }))
  const wildcard = found.length === 0 ? wildcardOf(model) : undefined
  if (wildcard === undefined) return found
  return listPublishedChannels(deps.redis, await listChannelIds(deps.db, { groups, model: wildcard }))
}

function affinityOf({ conversation, session }: RoutingQuestion, { user_id }: Sender): number | undefined {
  if (session !== '') return Number.parseInt(session, 36)
  if (conversation === '') return undefined
  return affinityKeyOf({ user_id, body: { prompt_cache_key: conversation }, texts: [], prompt_tokens: 0 })
}

function upstreamModel(channel: ChannelSnapshot | undefined, model: string): string {
  const mapped = mapModel(channel?.model_mapping ?? {}, model)
  return mapped.kind === 'cycle' ? model : mapped.model
}

/** Ids of a channel's keys that are in service, as relays read them. */
function keyReader({ channelKeys, now }: ForecastDeps): (channel: ChannelSnapshot) => KeyIds {
  const known = new Map<number, KeyIds>()
  return (channel) => {
    const hasSeveral = multiKeyModeOf(channel.setting) !== undefined
    const key_ids = known.get(channel.id) ?? (hasSeveral ? keyIdsOf(channel, channelKeys) : ONE_KEY)
    known.set(channel.id, key_ids)
    return usableKeys(key_ids, channel, now() / 1000).key_ids
  }
}

function keyIdsOf({ id, key_sealed }: ChannelSnapshot, channelKeys: ForecastDeps['channelKeys']): KeyIds {
  return splitKeys(channelKeys.unseal(key_sealed, sealedBy.channelKey(id))).map(keyIdOf)
}

type Health = {
  readonly of: (channel: ChannelSnapshot) => ((key_id: string) => BreakerState) | undefined
  readonly isHealthy: (keysOf: (channel: ChannelSnapshot) => KeyIds) => (channel: ChannelSnapshot) => boolean
}

/** The breakers that any relay reports as not closed; the one that waits longest counts. */
async function readHealth({ redis, now }: ForecastDeps, model: string): Promise<Health> {
  const reported = (await readOpenBreakers(redis, now())).filter((breaker) => breaker.model === model || breaker.model === '*')
  const byChannel: ReadonlyMap<number, OpenBreaker[]> = Map.groupBy(reported, ({ channel_id }) => channel_id)
  const of: Health['of'] = ({ id }) => {
    const own = byChannel.get(id)
    if (own === undefined) return undefined
    return (key_id) => {
      const [worst] = own.filter((breaker) => breaker.key_id === key_id).toSorted((a, b) => b.remaining_ms - a.remaining_ms)
      return worst === undefined ? { kind: 'closed' } : stateOf(worst)
    }
  }
  const at = now()
  const isHealthy: Health['isHealthy'] = (keysOf) => (channel) => {
    if (!isOnSchedule(channel.setting['schedule'], at)) return false
    const state = of(channel)
    return state === undefined || keysOf(channel).some((key_id) => state(key_id).kind !== 'open')
  }
  return { of, isHealthy }
}

/** Reports have no severity: it orders channels only while every one of them pauses. */
const SEVERITY = { dead: 2, limited: 1, failures: 0.5 } as const

function stateOf({ state, cause = 'failures', remaining_ms }: OpenBreaker): BreakerState {
  const severity = SEVERITY[cause]
  return state === 'open' ? { kind: 'open', cause, remaining_ms, severity } : { kind: 'half-open', is_probing: false, severity }
}
