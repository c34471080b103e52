import type { CatalogueEntry } from './catalogue-entry.ts'
import { entries } from './catalogue-entries.gen.ts'
import { formerModels } from './catalogue/former-models.ts'

export type { CatalogueEntry } from './catalogue-entry.ts'

/** All channel types, by number: data without the vendors' code, so that the console loads little. */
export const catalogue: readonly CatalogueEntry[] = entries

/** `GET /api/models`: channel type → preset models. */
export const presetModels: Readonly<Record<number, readonly string[]>> = Object.fromEntries(
  catalogue.filter(({ listing }) => listing === 'models').map(({ type, models }) => [type, models]),
)

/** A base URL as it is kept, and what was cut from its end; empty: nothing. */
export type KeptBaseUrl = { readonly url: string; readonly cut: string }

const callPathsOf = (type: number): readonly string[] | undefined => catalogue.find((entry) => entry.type === type)?.callPaths

/** The base URL without the longest part that calls add themselves. */
export function keptBaseUrl(type: number, base_url: string): KeptBaseUrl {
  const ends = (callPathsOf(type) ?? []).filter((path) => base_url.endsWith(path))
  const cut = ends.reduce((longest, path) => (path.length > longest.length ? path : longest), '')
  return { url: base_url.slice(0, base_url.length - cut.length), cut }
}

/** True if the base URL has a query or a fragment, which no path can follow. */
export function hasStrayParts(type: number, base_url: string): boolean {
  return callPathsOf(type) !== undefined && /[?#]/.test(base_url)
}

type KnownModel = { readonly id: string; readonly owned_by: string }

/** Every preset model once, with its owner, in order of channel type, with earlier ones: `GET /api/channel/models`. */
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
    for (const id of [...models, ...(formerModels[ownedBy] ?? [])]) if (!known.has(id)) known.set(id, { id, owned_by: ownedBy })
  }
  return [...known.values()]
}
