import { ChannelType, vendors } from './vendors/index.ts'
import type { Vendor, Words } from './vendors/vendor.ts'

/** The browser-safe view of the vendors: for the console's channel form and the model lists. */
export type CatalogueEntry = {
  readonly type: ChannelType
  readonly name: Words
  readonly baseUrl: string
  readonly keyHint: Words | undefined
  readonly otherHint: Words | undefined
  readonly models: readonly string[]
  /** Offered when a channel is created. */
  readonly isSelectable: boolean
  /** Requests can be sent to it. */
  readonly isSpoken: boolean
  /** The channel must name a base URL of its own. */
  readonly needsBaseUrl: boolean
}

const inOrder: readonly Vendor[] = Object.values(vendors).toSorted((left, right) => left.channelType - right.channelType)
/** These find their address by the key's region or bring their own. */
const WITHOUT_BASE_URL: ReadonlySet<number> = new Set([ChannelType.Xunfei, ChannelType.Bedrock, ChannelType.VertexAI])

/** All channel types, by number. */
export const catalogue: readonly CatalogueEntry[] = inOrder.map((vendor) => ({
  type: vendor.channelType,
  name: vendor.name,
  baseUrl: vendor.baseUrl,
  keyHint: vendor.keyHint,
  otherHint: vendor.otherHint,
  models: vendor.models,
  isSelectable: vendor.isSelectable,
  isSpoken: typeof vendor.speaks === 'function' || vendor.speaks.length > 0,
  needsBaseUrl: vendor.baseUrl === '' && !WITHOUT_BASE_URL.has(vendor.channelType),
}))

/** `GET /api/models`: channel type → preset models. */
export const presetModels: Readonly<Record<number, readonly string[]>> = Object.fromEntries(
  inOrder.filter(({ listing }) => listing === 'models').map(({ channelType, models }) => [channelType, models]),
)

type KnownModel = { readonly id: string; readonly owned_by: string }

/** Every preset model with its owner, once, in the order of the types; `GET /api/channel/models` is made of it. */
export const knownModels: readonly KnownModel[] = listKnownModels()

const owners: ReadonlyMap<string, string> = new Map(knownModels.map(({ id, owned_by }) => [id, owned_by]))

/** `owned_by` of a model: the vendor whose preset names it first, else 'custom'. */
export function ownerOf(model: string): string {
  return owners.get(model) ?? 'custom'
}

function listKnownModels(): KnownModel[] {
  const known = new Map<string, KnownModel>()
  for (const { models, ownedBy, listing } of inOrder) {
    if (listing === 'console') continue
    for (const id of models) if (!known.has(id)) known.set(id, { id, owned_by: ownedBy })
  }
  return [...known.values()]
}
