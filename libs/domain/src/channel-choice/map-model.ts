export type MappedModel = { readonly kind: 'ok'; readonly model: string; readonly isMapped: boolean } | { readonly kind: 'cycle' }

/**
 * Follows a channel's model mapping until a model has no entry. An entry that maps a model to itself ends the chain; any other
 * repetition is a cycle, which is a configuration error.
 */
export function mapModel(mapping: Readonly<Record<string, string>>, model: string): MappedModel {
  const seen = new Set<string>()
  let current = model
  for (;;) {
    seen.add(current)
    const next = Object.hasOwn(mapping, current) ? mapping[current] : undefined
    if (next === undefined || next === '' || next === current) return { kind: 'ok', model: current, isMapped: current !== model }
    if (seen.has(next)) return { kind: 'cycle' }
    current = next
  }
}
