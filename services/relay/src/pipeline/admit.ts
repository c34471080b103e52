import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import { isModelAllowed } from '@tollgate/domain/access/model'
import { AUTO_GROUP, isAutoGroup, listAutoGroups, resolveGroup } from '@tollgate/domain/access/group'
import { windowsFor, type LimitWindow } from '@tollgate/domain/rate-limit/windows'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { RequestContext } from '../request/context.ts'
import type { Caller } from './identify.ts'
import { limitsFor, type RequestLimits } from '../limits/request-limits.ts'
import type { ParsedRequest } from './read.ts'

/** What the request may use. */
export type Admission = {
  readonly group: string
  /** All channels of group and model, whatever their status; the one named in the key when it names one. */
  readonly channels: readonly ChannelSnapshot[]
  readonly is_pinned: boolean
  readonly windows: readonly LimitWindow[]
  readonly limits: RequestLimits
}

type Deps = { readonly config: RuntimeConfig; readonly health: ChannelHealth }

/** Group, forced channel, model limits, existence of a channel, sensitive words; the request windows are checked by reserve. */
export function admit(
  context: RequestContext,
  { caller, request }: { readonly caller: Caller; readonly request: ParsedRequest },
  deps: Deps,
): Admission {
  const { config } = deps
  context.clock.enter('admit')
  const { record, pin } = caller
  const { model } = request.chat
  const group = isAutoGroup(record, config.snapshot.groups) ? chooseAutoGroup(record, model, deps) : chooseGroup(record, config)
  const pinned = pin === undefined ? undefined : getPinned(pin, config)
  if (!isModelAllowed(record, model)) refuseModel(record.model_limits, model)
  refuseSensitive(request, config)
  const channels = pinned === undefined ? config.listChannels(group, model) : [pinned]
  if (!channels.some(({ status }) => status === ChannelStatus.enabled)) throw new AppError('channel.none', { group, model })
  return {
    group,
    channels,
    is_pinned: pinned !== undefined,
    windows: windowsFor(config.settings.limits, group),
    limits: limitsFor(record, { group, model }, config),
  }
}

function chooseGroup(record: Caller['record'], config: RuntimeConfig): string {
  const resolved = resolveGroup(record, config.snapshot.groups)
  if (resolved.kind === 'disabled') throw new AppError('access.group-disabled', { group: resolved.group })
  if (resolved.kind === 'gone') throw new AppError('access.group-gone', { group: resolved.group })
  return resolved.group
}

/** The first group that has a working channel for the model, else the first that has one at all; it is the request's group from here on. */
function chooseAutoGroup(record: Caller['record'], model: string, { config, health }: Deps): string {
  const names = listAutoGroups(record, config.snapshot.groups, config.settings.auto_groups)
  if (names.length === 0) throw new AppError('access.group-disabled', { group: AUTO_GROUP })
  const having = names.filter((name) => config.listChannels(name, model).some(({ status }) => status === ChannelStatus.enabled))
  const answers = (channel: ChannelSnapshot): boolean => {
    const stateOf = channel.status === ChannelStatus.enabled ? health.of(channel.id, model) : () => OPEN
    return stateOf === undefined || config.keyIdsOf(channel).some((key_id) => stateOf(key_id).kind !== 'open')
  }
  return having.find((name) => config.listChannels(name, model).some(answers)) ?? having[0] ?? AUTO_GROUP
}

const OPEN = { kind: 'open' } as const

function getPinned(pin: string, config: RuntimeConfig): ChannelSnapshot {
  const channel = /^\d{1,10}$/.test(pin) ? config.snapshot.channels.get(Number(pin)) : undefined
  if (channel === undefined) throw new AppError('access.channel-invalid')
  if (channel.status !== ChannelStatus.enabled) throw new AppError('access.channel-disabled')
  return channel
}

function refuseModel(limits: readonly string[] | null, model: string): never {
  throw limits?.length === 0 ? new AppError('access.no-model') : new AppError('access.model', { model })
}

function refuseSensitive({ content }: ParsedRequest, { settings }: RuntimeConfig): void {
  const { sensitive } = settings
  if (sensitive !== undefined && content.hasSensitive(sensitive)) throw new AppError('content.sensitive')
}
