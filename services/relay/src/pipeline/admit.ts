import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { AUTO_GROUP, isAutoGroup, listAutoGroups, resolveGroup } from '@tollgate/domain/access/group'
import { limitsFor } from '@tollgate/domain/rate-limit/request-limits'
import { isOnSchedule } from '@tollgate/domain/channel-choice/is-on-schedule'
import { chooseAutoGroup } from '@tollgate/domain/channel-choice/auto-group'
import { windowsFor } from '@tollgate/domain/rate-limit/windows'
import type { Admission, NextGroup } from '../request/admission.ts'
import { listBudgets } from '../limits/budgets.ts'
import { admitOptions } from '../channels/admit-options.ts'
import { requireModel } from '../identity/require-model.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import { catchRefusal } from '../errors/catch-refusal.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { RequestContext } from '../request/context.ts'
import type { Caller } from '../request/caller.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { Bound } from '../request/bound.ts'

type Deps = { readonly config: RuntimeConfig; readonly health: ChannelHealth }

/** Checks group, pinned channel, model limits, sensitive words and that a channel exists. `reserve` checks the request windows. */
export function admit(
  context: RequestContext,
  { caller, request }: { readonly caller: Caller; readonly request: ParsedRequest },
  deps: Deps,
): Admission {
  const { config } = deps
  context.clock.enter('admit')
  const { record, pin } = caller
  const { model } = request.chat
  const bound = request.conversation?.bound
  const names = isAutoGroup(record, config.snapshot.groups) ? automaticGroups(record, config) : undefined
  const group =
    names === undefined ? chooseGroup(record, config) : groupByModel(names, { model, bound, now: context.clock.started_at }, deps)
  const pinned = pin === undefined ? undefined : getPinnedChannel(pin, config)
  for (const name of [model, ...(request.chat.other_models ?? []).map((other) => other.model)]) requireModel(record, name)
  refuseSensitive(request, config)
  const listed = pinned === undefined ? config.listChannels(group, model) : [pinned]
  const all = bound === undefined ? listed : boundChannels(listed, bound, config)
  if (all.length === 0) throw new AppError('model.unknown', { model })
  const { options } = request.chat
  const { channels, tiers } = options === undefined ? { channels: all, tiers: NO_TIERS } : admitOptions(options, all)
  if (!channels.some(({ status }) => status === ChannelStatus.enabled)) throw new AppError('channel.none', { group, model })
  const crosses = names !== undefined && record.cross_group_retry === true && pinned === undefined && bound === undefined
  return {
    group,
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
    return [{ group, channels, limits, ...(tiers.length === 0 ? {} : { tiers }) }]
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
