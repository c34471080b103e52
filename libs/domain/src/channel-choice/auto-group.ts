import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { AUTO_GROUP } from '../access/group.ts'

type Facts = {
  /** The channels of a group for the model, disabled ones included. */
  readonly listChannels: (group: string) => readonly ChannelSnapshot[]
  /** True if an enabled channel has a key whose breaker is not open. */
  readonly isHealthy: (channel: ChannelSnapshot) => boolean
  /** The channel that keeps what the request refers to. */
  readonly bound_id?: number | undefined
}

/** The group of the bound channel, else the first group with a healthy channel for the model, else the first with an enabled one. */
export function chooseAutoGroup(names: readonly string[], { listChannels, isHealthy, bound_id }: Facts): string {
  const isEnabled = ({ status }: ChannelSnapshot): boolean => status === ChannelStatus.enabled
  const candidates = names.filter((name) => listChannels(name).some(isEnabled))
  const binding = bound_id === undefined ? undefined : candidates.find((name) => listChannels(name).some(({ id }) => id === bound_id))
  if (binding !== undefined) return binding
  const healthy = candidates.find((name) => listChannels(name).some((channel) => isEnabled(channel) && isHealthy(channel)))
  return healthy ?? candidates[0] ?? names.find((name) => listChannels(name).length > 0) ?? AUTO_GROUP
}
