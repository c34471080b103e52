import type { ChannelType } from './vendors/channel-types.ts'
import type { LocalizedText, Vendor } from './vendors/vendor.ts'

/** A vendor as the console and the model lists show it. */
export type CatalogueEntry = {
  readonly type: ChannelType
  readonly name: LocalizedText
  readonly baseUrl: string
  readonly keyHint?: LocalizedText | undefined
  readonly otherHint?: LocalizedText | undefined
  readonly models: readonly string[]
  /** `owned_by` of its models. */
  readonly ownedBy: string
  readonly listing: Vendor['listing']
  /** Offered when a channel is created. */
  readonly isSelectable: boolean
  /** Requests can be sent to the vendor. */
  readonly isSupported: boolean
  /** The channel must set a base URL. */
  readonly needsBaseUrl: boolean
  /**
   * Paths that calls add to the base URL: whole ones, and their beginnings up to a version. Absent: the base URL is the address of a call.
   */
  readonly callPaths?: readonly string[] | undefined
  /** Its models differ in the API that serves them, which the channel's setting `preferred_api` overrides. */
  readonly choosesApi?: true | undefined
  /** Why the vendor's API no longer exists; channels of the type are refused with it. */
  readonly retired?: LocalizedText | undefined
  /** Facts that operators must know before they choose the vendor. */
  readonly notice?: LocalizedText | undefined
  /** The manifest follows a public reference. */
  readonly isVerified: boolean
}
