import { ChannelType, vendors } from './vendors/index.ts'
import type { Vendor, LocalizedText } from './vendors/vendor.ts'

/** A vendor as the console and the model lists show it; safe to load in a browser. */
export type CatalogueEntry = {
  readonly type: ChannelType
  readonly name: LocalizedText
  readonly baseUrl: string
  readonly keyHint: LocalizedText | undefined
  readonly otherHint: LocalizedText | undefined
  readonly models: readonly string[]
  /** Offered when a channel is created. */
  readonly isSelectable: boolean
  /** Whether requests can be sent to it. */
  readonly isSupported: boolean
  /** Whether the channel must set a base URL. */
  readonly needsBaseUrl: boolean
  /** Why the vendor's API no longer exists; channels of the type are refused with it. */
  readonly retired: LocalizedText | undefined
  /** Whether the manifest follows a public reference. */
  readonly isVerified: boolean
}

const inOrder: readonly Vendor[] = Object.values(vendors).toSorted((left, right) => left.channelType - right.channelType)
/** Vendors that derive their address from the key. */
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
  isSupported: typeof vendor.formats === 'function' || vendor.formats.length > 0,
  needsBaseUrl: vendor.baseUrl === '' && !WITHOUT_BASE_URL.has(vendor.channelType),
  retired: vendor.retired,
  isVerified: vendor.reference !== undefined,
}))

/** `GET /api/models`: channel type → preset models. */
export const presetModels: Readonly<Record<number, readonly string[]>> = Object.fromEntries(
  inOrder.filter(({ listing }) => listing === 'models').map(({ channelType, models }) => [channelType, models]),
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
  for (const { models, ownedBy, listing } of inOrder) {
    if (listing === 'console') continue
    for (const id of models) if (!known.has(id)) known.set(id, { id, owned_by: ownedBy })
  }
  return [...known.values()]
}
