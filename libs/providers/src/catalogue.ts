import type { CatalogueEntry } from './catalogue-entry.ts'
import { entries } from './catalogue-entries.gen.ts'

export type { CatalogueEntry } from './catalogue-entry.ts'

/** All channel types, by number: data without the vendors' code, so that the console loads little. */
export const catalogue: readonly CatalogueEntry[] = entries

/** `GET /api/models`: channel type → preset models. */
export const presetModels: Readonly<Record<number, readonly string[]>> = Object.fromEntries(
  catalogue.filter(({ listing }) => listing === 'models').map(({ type, models }) => [type, models]),
)

type KnownModel = { readonly id: string; readonly owned_by: string }

/** Every preset model once, with its owner, in order of channel type: `GET /api/channel/models`. */
export const knownModels: readonly KnownModel[] = listKnownModels()

const owners: ReadonlyMap<string, string> = new Map(knownModels.map(({ id, owned_by }) => [id, owned_by]))

/** `owned_by` of a model: the first vendor that presets it, otherwise 'custom'. */
export function ownerOf(model: string): string {
  return owners.get(model) ?? 'custom'
}

function listKnownModels(): KnownModel[] {
  const known = new Map<string, KnownModel>()
  for (const { models, ownedBy, listing } of catalogue) {
    if (listing === 'console') continue
    for (const id of models) if (!known.has(id)) known.set(id, { id, owned_by: ownedBy })
  }
  return [...known.values()]
}
