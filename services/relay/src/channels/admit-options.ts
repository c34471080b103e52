import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { allowsOption, isHint, type PricedOption } from '@tollgate/contracts/pricing/priced-options'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { OptionValues } from '@tollgate/providers/chat/priced-options'

export type AdmittedOptions = {
  readonly channels: readonly ChannelSnapshot[]
  /** The tiers that the price has factors for. */
  readonly tiers: readonly string[]
}

/**
 * Restricts a request with priced options to the channels that allow them. If none does, a hint such as a service tier is removed from
 * the body and costs nothing; any other option is refused, because the answer would be another one.
 */
export function admitOptions(values: OptionValues, channels: readonly ChannelSnapshot[]): AdmittedOptions {
  let left = channels
  const tiers: string[] = []
  const entries = Object.entries(values) as [PricedOption, string][] // the keys of OptionValues
  for (const [option, value] of entries) {
    const allowing = left.filter((channel) => allowsOption(channel, option))
    const isAllowed = allowing.some(({ status }) => status === ChannelStatus.enabled)
    if (!isAllowed && !isHint(option))
      throw new AppError('request.field', { detail: `no channel of this model allows the field ${option}` })
    if (!isAllowed) continue
    left = allowing
    if (value !== '') tiers.push(value)
  }
  return { channels: left, tiers }
}
