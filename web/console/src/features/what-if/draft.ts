import type { RoutingStrategy } from '@tollgate/contracts/relay/routing-strategies'
import type { ChangedChannel, WhatIfCandidate, WhatIfPresent } from '@tollgate/contracts/resources/what-if'
import { ratioOfDollars } from '@tollgate/domain/pricing/ratio-dollars'

export type ChannelDraft = { readonly is_enabled: boolean; readonly weight: string; readonly priority: string; readonly cost_ratio: string }
export type ChainDraft = { readonly model: string; readonly chain: string }
export type PriceDraft = { readonly model: string; readonly input: string; readonly output: string }

/** A configuration while it is edited: only what differs from the one of now. */
export type Draft = {
  readonly channels: Readonly<Record<number, ChannelDraft>>
  readonly strategies: Readonly<Record<string, RoutingStrategy>>
  readonly chains: readonly ChainDraft[]
  readonly prices: readonly PriceDraft[]
}
export const NO_CHANGE: Draft = { channels: {}, strategies: {}, chains: [], prices: [] }

export type PresentChannel = WhatIfPresent['channels'][number]

export const draftOf = ({ is_enabled, weight, priority, cost_ratio }: PresentChannel): ChannelDraft => ({
  is_enabled,
  weight: String(weight),
  priority: String(priority),
  cost_ratio: String(cost_ratio),
})

/** The configuration of a draft; the names of the fields that cannot be read otherwise. */
export function candidateOf(
  draft: Draft,
  present: WhatIfPresent,
): { readonly candidate: WhatIfCandidate } | { readonly invalid: readonly string[] } {
  const invalid: string[] = []
  const read = (name: string, text: string, isWhole: boolean): number | undefined => {
    const number = Number(text.trim())
    if (text.trim() !== '' && Number.isFinite(number) && (!isWhole || Number.isInteger(number)) && (isWhole || number >= 0)) return number
    invalid.push(name)
    return undefined
  }
  const channels = present.channels.flatMap((channel): ChangedChannel[] => {
    const own = draft.channels[channel.id]
    if (own === undefined) return []
    const weight = read(channel.name, own.weight, true)
    const priority = read(channel.name, own.priority, true)
    const cost_ratio = read(channel.name, own.cost_ratio, false)
    if (weight !== undefined && weight < 0) invalid.push(channel.name)
    const changed: ChangedChannel = {
      id: channel.id,
      ...(own.is_enabled === channel.is_enabled ? {} : { is_enabled: own.is_enabled }),
      ...(weight === undefined || weight === channel.weight ? {} : { weight }),
      ...(priority === undefined || priority === channel.priority ? {} : { priority }),
      ...(cost_ratio === undefined || cost_ratio === channel.cost_ratio ? {} : { cost_ratio }),
    }
    return Object.keys(changed).length === 1 ? [] : [changed]
  })
  const chains = draft.chains.filter(({ model }) => model.trim() !== '')
  const prices = draft.prices
    .filter(({ model }) => model.trim() !== '')
    .flatMap(({ model, input, output }) => {
      const [from, to] = [read(model, input, false), output.trim() === '' ? undefined : read(model, output, false)]
      if (from === undefined) return []
      if (from === 0) invalid.push(model)
      return [
        {
          model: model.trim(),
          model_ratio: ratioOfDollars(from),
          ...(to === undefined || from === 0 ? {} : { completion_ratio: Number((to / from).toFixed(6)) }),
        },
      ]
    })
  if (invalid.length > 0) return { invalid: [...new Set(invalid)] }
  const hasStrategies = Object.keys(draft.strategies).length > 0
  return {
    candidate: {
      channels,
      ...(hasStrategies ? { strategies: { ...present.strategies, ...draft.strategies } } : {}),
      ...(chains.length === 0 ? {} : { fallbacks: withChains(present.fallbacks, chains) }),
      ...(prices.length === 0 ? {} : { prices }),
    },
  }
}

/** The chains of now, with these for every group; an empty one removes a chain. */
function withChains(fallbacks: WhatIfPresent['fallbacks'], chains: readonly ChainDraft[]): NonNullable<WhatIfCandidate['fallbacks']> {
  const site: Record<string, string[]> = { ...fallbacks['*'] }
  for (const { model, chain } of chains) {
    const models = chain.split(/[,，\s]+/).filter((name) => name !== '')
    if (models.length === 0) Reflect.deleteProperty(site, model.trim())
    else site[model.trim()] = models
  }
  return { ...fallbacks, '*': site }
}
