import type { WhatIfCandidate, WhatIfPresent } from '@tollgate/contracts/resources/what-if'
import { dollarsOfRatio } from '@tollgate/domain/pricing/ratio-dollars'
import { ownValue } from '@tollgate/contracts/values/own-value'

export const CHANGED_FIELDS = ['is_enabled', 'weight', 'priority', 'cost_ratio'] as const

/** One difference between a configuration and the one of now. */
export type Change =
  | {
      readonly kind: 'channel'
      readonly id: number
      readonly name: string
      readonly field: (typeof CHANGED_FIELDS)[number]
      readonly before: string
      readonly after: string
    }
  | { readonly kind: 'strategy' | 'chain'; readonly name: string; readonly before: string; readonly after: string }
  | { readonly kind: 'price'; readonly name: string; readonly after: string }

/** Exactly what applying a configuration would change now; channels that are gone are left out. */
export function changesOf({ channels, strategies, fallbacks, prices = [] }: WhatIfCandidate, present: WhatIfPresent): Change[] {
  const list: Change[] = []
  for (const changed of channels) {
    const now = present.channels.find(({ id }) => id === changed.id)
    if (now === undefined) continue
    for (const field of CHANGED_FIELDS) {
      const after = changed[field]
      if (after === undefined || after === now[field]) continue
      list.push({ kind: 'channel', id: now.id, name: now.name, field, before: String(now[field]), after: String(after) })
    }
  }
  const names = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])]
  if (strategies !== undefined)
    for (const name of names(present.strategies, strategies)) {
      const [before, after] = [ownValue(present.strategies, name) ?? '', ownValue(strategies, name) ?? '']
      if (before !== after) list.push({ kind: 'strategy', name, before, after })
    }
  if (fallbacks !== undefined)
    for (const group of names(present.fallbacks, fallbacks)) {
      const [old, next] = [ownValue(present.fallbacks, group) ?? {}, ownValue(fallbacks, group) ?? {}]
      for (const model of names(old, next)) {
        const [before, after] = [(ownValue(old, model) ?? []).join(', '), (ownValue(next, model) ?? []).join(', ')]
        if (before !== after) list.push({ kind: 'chain', name: group === '*' ? model : `${group}: ${model}`, before, after })
      }
    }
  for (const { model, model_ratio, completion_ratio } of prices) {
    const input = dollarsOfRatio(model_ratio)
    list.push({
      kind: 'price',
      name: model,
      after: completion_ratio === undefined ? `$${input}` : `$${input} / $${Number((input * completion_ratio).toFixed(6))}`,
    })
  }
  return list
}
