import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { PassedReason } from '@tollgate/contracts/relay/model-fallbacks'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { AUTO_GROUP, isAutoGroup, listAutoGroups, resolveGroup } from '@tollgate/domain/access/group'
import { limitsFor } from '@tollgate/domain/rate-limit/request-limits'
import { isOnSchedule } from '@tollgate/domain/channel-choice/is-on-schedule'
import { chooseAutoGroup } from '@tollgate/domain/channel-choice/auto-group'
import { windowsFor } from '@tollgate/domain/rate-limit/windows'
import type { Admission, ModelChain, NextGroup } from '../request/admission.ts'
import { listBudgets } from '../limits/budgets.ts'
import { admitOptions } from '../channels/admit-options.ts'
import { requireModel } from '../identity/require-model.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import { catchRefusal } from '../errors/catch-refusal.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { RequestContext } from '../request/context.ts'
import type { Caller } from '../request/caller.ts'
import { asModel, type ParsedRequest } from '../request/parsed-request.ts'
import type { Bound } from '../request/bound.ts'

type Deps = { readonly config: RuntimeConfig; readonly health: ChannelHealth }

type Asked = { readonly caller: Caller; readonly request: ParsedRequest }
type Searched = { /** Its prompt was searched for sensitive words. */ readonly isSearched?: boolean }

/**
 * Checks group, pinned channel, model limits, sensitive words and that a channel exists. `reserve` checks the request windows. A chain is
 * admitted from its first model that can be, with the others as what comes next.
 */
export function admit(
  context: RequestContext,
  { chain, ...asked }: Asked & { readonly chain?: ModelChain | undefined },
  deps: Deps,
): Admission {
  context.clock.enter('admit')
  if (chain === undefined) return admitModel(context, asked, deps)
  requireModel(asked.caller.record, chain.asked)
  return admitChain(context, { ...asked, chain }, deps)
}

/** Throws the refusal of the requested model if no model can be admitted. */
function admitChain(context: RequestContext, { caller, request, chain }: Asked & { readonly chain: ModelChain }, deps: Deps): Admission {
  const admitted: Admission[] = []
  const passed: { readonly model: string; readonly reason: PassedReason }[] = []
  let refusal: unknown
  for (const model of orderOf(chain)) {
    try {
      const isSearched = admitted.length + passed.length > 0
      admitted.push(admitModel(context, { caller, request: asModel(request, model), isSearched }, deps))
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'content.sensitive') throw error
      if (model === chain.asked) refusal = error
      passed.push({ model, reason: REASONS.get(error.code) ?? 'unsupported' })
    }
  }
  if (chain.kept !== undefined && admitted[0]?.model === chain.kept) passed.push({ model: chain.asked, reason: 'conversation' })
  const [first, ...others] = admitted
  if (first === undefined) throw refusal
  const next_groups = others.flatMap(({ next_groups: later = [], ...own }): NextGroup[] => [toNextGroup(own), ...later])
  return { ...first, chain: { ...chain, passed }, next_groups: [...(first.next_groups ?? []), ...next_groups] }
}

const orderOf = ({ asked, models, kept }: ModelChain): readonly string[] =>
  kept === undefined || !models.includes(kept) ? [asked, ...models] : [kept, asked, ...models.filter((model) => model !== kept)]

const REASONS: ReadonlyMap<string, PassedReason> = new Map([
  ['model.unknown', 'unknown'],
  ['channel.none', 'no-channel'],
  ['access.model', 'not-allowed'],
  ['access.no-model', 'not-allowed'],
])

const toNextGroup = ({ group, model, channels, tiers, limits }: Admission): NextGroup => ({
  group,
  model,
  channels,
  limits,
  ...(tiers === undefined ? {} : { tiers }),
})

function admitModel(context: RequestContext, { caller, request, isSearched = false }: Asked & Searched, deps: Deps): Admission {
  const { config } = deps
  const { record, pin } = caller
  const { model } = request.chat
  const bound = request.conversation?.bound
  const names = isAutoGroup(record, config.snapshot.groups) ? automaticGroups(record, config) : undefined
  const group =
    names === undefined ? chooseGroup(record, config) : groupByModel(names, { model, bound, now: context.clock.started_at }, deps)
  const pinned = pin === undefined ? undefined : getPinnedChannel(pin, config)
  for (const name of [model, ...(request.chat.other_models ?? []).map((other) => other.model)]) requireModel(record, name)
  if (!isSearched) refuseSensitive(request, config)
  const listed = pinned === undefined ? config.listChannels(group, model) : [pinned]
  const all = bound === undefined ? listed : boundChannels(listed, bound, config)
  if (all.length === 0) throw new AppError('model.unknown', { model })
  const { options } = request.chat
  const { channels, tiers } = options === undefined ? { channels: all, tiers: NO_TIERS } : admitOptions(options, all)
  if (!channels.some(({ status }) => status === ChannelStatus.enabled)) throw new AppError('channel.none', { group, model })
  const crosses = names !== undefined && record.cross_group_retry === true && pinned === undefined && bound === undefined
  return {
    group,
    model,
    channels,
    is_pinned: pinned !== undefined,
    ...(tiers.length === 0 ? {} : { tiers }),
    ...(crosses ? { next_groups: nextGroups(names.slice(names.indexOf(group) + 1), { caller, request }, config) } : {}),
    windows: windowsFor(config.settings.limits, group),
    limits: limitsFor(record, { group, model }, config.settings.shared_limits),
    budgets: listBudgets(record, config),
  }
}

const NO_TIERS: readonly string[] = []

function chooseGroup(record: Caller['record'], config: RuntimeConfig): string {
  const resolved = resolveGroup(record, config.snapshot.groups)
  if (resolved.kind === 'disabled') throw new AppError('access.group-disabled', { group: resolved.group })
  if (resolved.kind === 'gone') throw new AppError('access.group-gone', { group: resolved.group })
  return resolved.group
}

function automaticGroups(record: Caller['record'], config: RuntimeConfig): readonly string[] {
  const names = listAutoGroups(record, config.snapshot.groups, config.settings.auto_groups)
  if (names.length === 0) throw new AppError('access.group-disabled', { group: AUTO_GROUP })
  return names
}

/** The later groups with an enabled channel that may serve the request. */
function nextGroups(
  names: readonly string[],
  { caller: { record }, request }: { readonly caller: Caller; readonly request: ParsedRequest },
  config: RuntimeConfig,
): NextGroup[] {
  const { model, options } = request.chat
  return names.flatMap((group): NextGroup[] => {
    const all = config.listChannels(group, model)
    const admitted = options === undefined ? { channels: all, tiers: NO_TIERS } : catchRefusal(() => admitOptions(options, all))
    if (admitted?.channels.some(({ status }) => status === ChannelStatus.enabled) !== true) return []
    const { channels, tiers } = admitted
    const limits = limitsFor(record, { group, model }, config.settings.shared_limits)
    return [{ group, model, channels, limits, ...(tiers.length === 0 ? {} : { tiers }) }]
  })
}

function groupByModel(
  names: readonly string[],
  { model, bound, now }: { readonly model: string; readonly bound: Bound | undefined; readonly now: number },
  deps: Deps,
): string {
  const { config, health } = deps
  return chooseAutoGroup(names, {
    listChannels: (name) => config.listChannels(name, model),
    isHealthy: (channel) => {
      if (!isOnSchedule(channel.setting['schedule'], now)) return false
      const stateOf = health.of(channel.id, model)
      return stateOf === undefined || config.keyIdsOf(channel).some((key_id) => stateOf(key_id).kind !== 'open')
    },
    bound_id: bound?.channel_id,
  })
}

/** The channel that keeps what the request refers to; refused as not found if it or its key is gone. */
function boundChannels(
  channels: readonly ChannelSnapshot[],
  { channel_id, key_id, refusal }: Bound,
  config: RuntimeConfig,
): readonly ChannelSnapshot[] {
  const channel = channels.find(({ id }) => id === channel_id)
  if (channel?.status !== ChannelStatus.enabled || !config.keyIdsOf(channel).includes(key_id)) throw refusal
  return [channel]
}

function getPinnedChannel(pin: string, config: RuntimeConfig): ChannelSnapshot {
  const channel = /^\d{1,10}$/.test(pin) ? config.snapshot.channels.get(Number(pin)) : undefined
  if (channel === undefined) throw new AppError('access.channel-invalid')
  if (channel.status !== ChannelStatus.enabled) throw new AppError('access.channel-disabled')
  return channel
}

function refuseSensitive({ content }: ParsedRequest, { settings }: RuntimeConfig): void {
  const { sensitive } = settings
  if (sensitive !== undefined && content.hasSensitive(sensitive)) throw new AppError('content.sensitive')
}
