import type { SyncedPlace } from './operation.ts'
import { parseParamOverride } from './parse.ts'

/** Client headers that an override copies into the body or into another header, by the place that gets them. */
export function syncedHeaders(override: Readonly<Record<string, unknown>>): Map<string, string> {
  const copied = new Map<string, string>()
  for (const { places } of parseParamOverride(override).operations) {
    if (places === undefined) continue
    for (const [place, other] of [places, places.toReversed()] as const)
      if (place?.kind === 'header' && other !== undefined) copied.set(`sync_fields ${nameOf(other)} ${place.name}`, place.name)
  }
  return copied
}

const nameOf = (place: SyncedPlace): string => (place.kind === 'header' ? `header:${place.name}` : `body:${place.path.join('.')}`)
