import type { JsonObject } from '../json.ts'
import type { ChannelType } from './channel-types.ts'

/** A text in both languages. */
export type Words = { readonly zh: string; readonly en: string }

/** How the key travels. */
export type Auth = { readonly kind: 'bearer' } | { readonly kind: 'header'; readonly name: string }

/** Where a capability is: below the base URL, or the base URL is the whole address. */
export type Address = { readonly kind: 'below'; readonly chat: (model: string) => string } | { readonly kind: 'whole' }

export type Vendor = {
  readonly channelType: ChannelType
  readonly name: Words
  /** `owned_by` of its models. */
  readonly ownedBy: string
  /** Empty: the channel must name its own. */
  readonly baseUrl: string
  /** Format per capability; what it cannot do is not there. */
  readonly speaks: { readonly chat?: 'openai-chat' }
  readonly address: Address
  readonly auth: Auth
  /** Header that carries the channel's `openai_organization`. */
  readonly organizationHeader?: string
  readonly keyHint?: Words
  /** What the channel's `other` field is for; absent: nothing. */
  readonly otherHint?: Words
  readonly models: readonly string[]
  /** Where the preset list shows: in `/api/models` too, only in `/api/channel/models`, or only in the console's form. */
  readonly listing: 'models' | 'channel' | 'console'
  /** Understands `stream_options`, so that usage is always asked for. */
  readonly streamOptions: boolean
  /** Changes of the body this vendor needs; gives back the same object where it needs none. */
  readonly quirks?: { readonly chat?: (body: JsonObject) => JsonObject }
  /** Offered for new channels. */
  readonly isSelectable: boolean
}

type Given = Omit<Vendor, 'address' | 'isSelectable'> & Partial<Pick<Vendor, 'address' | 'isSelectable'>>

const OPENAI_PATHS: Address = { kind: 'below', chat: () => '/v1/chat/completions' }

/** Declares a vendor; what is not said is as OpenAI has it. */
export function vendor(given: Given): Vendor {
  return { address: OPENAI_PATHS, isSelectable: true, ...given }
}

/** Declares a vendor that we list but do not speak to. */
export function listed(given: Omit<Given, 'speaks' | 'address' | 'auth' | 'streamOptions'>): Vendor {
  return vendor({ ...given, speaks: {}, auth: bearer(), streamOptions: false })
}

/** `Authorization: Bearer <key>`. */
export function bearer(): Auth {
  return { kind: 'bearer' }
}
