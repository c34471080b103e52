import type { CatalogueEntry } from './catalogue-entry.ts'
import { callPathsOf } from './vendors/base-url.ts'
import { ChannelType } from './vendors/channel-types.ts'
import type { Vendor } from './vendors/vendor.ts'

/** Vendors that derive their address from the key. */
const WITHOUT_BASE_URL: ReadonlySet<number> = new Set([ChannelType.Xunfei, ChannelType.Bedrock, ChannelType.VertexAI])

/** The entry that `npm run gen` writes for a vendor. */
export function toCatalogueEntry(vendor: Vendor): CatalogueEntry {
  const {
    channelType,
    name,
    baseUrl,
    keyHint,
    otherHint,
    models,
    ownedBy,
    listing,
    isSelectable,
    formats,
    modelApis,
    retired,
    notice,
    reference,
  } = vendor
  const callPaths = callPathsOf(vendor)
  return {
    type: channelType,
    name,
    baseUrl,
    ...(keyHint === undefined ? {} : { keyHint }),
    ...(otherHint === undefined ? {} : { otherHint }),
    models,
    ownedBy,
    listing,
    isSelectable,
    isSupported: typeof formats === 'function' || formats.length > 0,
    needsBaseUrl: baseUrl === '' && !WITHOUT_BASE_URL.has(channelType),
    ...(callPaths === undefined ? {} : { callPaths }),
    ...(modelApis === undefined ? {} : { choosesApi: true }),
    ...(retired === undefined ? {} : { retired }),
    ...(notice === undefined ? {} : { notice }),
    isVerified: reference !== undefined,
  }
}
