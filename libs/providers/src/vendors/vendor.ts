import type { JsonObject } from '../json.ts'
import type { CallFacts, ApiFormat } from '../operations/api-format.ts'
import type { ChannelType } from './channel-types.ts'

/** A text in both languages. */
export type LocalizedText = { readonly zh: string; readonly en: string }

/** How the key is sent. For `google` and `aws`, libs/upstream derives a credential from it. */
export type Auth =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'google' }
  | { readonly kind: 'aws' }

/** The address of a call: a path below the base URL, the base URL itself, or derived from the key and the channel's `other` field. */
export type Address =
  | { readonly kind: 'path'; readonly path: (call: CallFacts) => string }
  | { readonly kind: 'base-url' }
  /** Undefined if the key or `other` is malformed. */
  | { readonly kind: 'derived'; readonly url: (call: CallFacts, base: string) => string | undefined }

export type Vendor = {
  readonly channelType: ChannelType
  readonly name: LocalizedText
  /** `owned_by` of its models. */
  readonly ownedBy: string
  /** Empty if the channel must set its own. */
  readonly baseUrl: string
  /** The formats it supports, preferred first; a function if they depend on the model. */
  readonly formats: readonly ApiFormat[] | ((upstream_model: string) => readonly ApiFormat[])
  readonly address: Address
  /** The client's query is not forwarded; the address may use parts of it. */
  readonly dropsQuery?: boolean
  readonly auth: Auth
  /** Header that carries the channel's `openai_organization`. */
  readonly organizationHeader?: string
  readonly keyHint?: LocalizedText
  /** The purpose of the channel's `other` field; absent if it is unused. */
  readonly otherHint?: LocalizedText
  readonly models: readonly string[]
  /** Where preset models appear: everywhere, in `/api/channel/models` and the console, or only in the console's form. */
  readonly listing: 'models' | 'channel' | 'console'
  /** Accepts `stream_options`, so usage is always requested. */
  readonly streamOptions: boolean
  /** Changes to the body that this vendor needs; returns the same object if there are none. */
  readonly patch?: (body: JsonObject, call: Pick<CallFacts, 'format' | 'model' | 'is_stream'>) => JsonObject
  /** Headers other than the credential. */
  readonly headers?: (call: Pick<CallFacts, 'format' | 'model' | 'is_stream'>) => Readonly<Record<string, string>>
  /** Streams are AWS binary frames, each with one event of the format. */
  readonly isAwsFramed?: boolean
  /** Offered for new channels. */
  readonly isSelectable: boolean
}

type Given = Omit<Vendor, 'address' | 'isSelectable'> & Partial<Pick<Vendor, 'address' | 'isSelectable'>>

/** Declares a vendor; the defaults are OpenAI's. */
export function vendor(given: Given): Vendor {
  return { address: openAiPaths(), isSelectable: true, ...given }
}

/** The formats a vendor supports for this model. */
export function formatsOf({ formats }: Vendor, upstream_model: string): readonly ApiFormat[] {
  return typeof formats === 'function' ? formats(upstream_model) : formats
}

/** OpenAI's paths below the base URL, with overrides. */
export function openAiPaths(own: Partial<Record<ApiFormat, string | ((call: CallFacts) => string)>> = {}): Address {
  return {
    kind: 'path',
    path: (call) => {
      const path = own[call.format] ?? PATHS[call.format]
      return typeof path === 'function' ? path(call) : path
    },
  }
}

/** Anthropic: https://docs.anthropic.com/en/api/messages · Gemini: https://ai.google.dev/api/generate-content */
const PATHS: Readonly<Record<ApiFormat, string | ((call: CallFacts) => string)>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'openai-completions': '/v1/completions',
  'openai-embeddings': '/v1/embeddings',
  'openai-moderations': '/v1/moderations',
  'openai-images': '/v1/images/generations',
  'openai-image-edits': '/v1/images/edits',
  'openai-speech': '/v1/audio/speech',
  'openai-transcriptions': '/v1/audio/transcriptions',
  'openai-translations': '/v1/audio/translations',
  'openai-realtime': ({ model }) => `/v1/realtime?model=${encodeURIComponent(model)}`,
  rerank: '/v1/rerank',
  'anthropic-messages': '/v1/messages',
  gemini: ({ gemini_version, model, is_stream }) =>
    `/${gemini_version}/models/${encodeURIComponent(model)}:${is_stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  'anthropic-token-count': '/v1/messages/count_tokens',
  'gemini-token-count': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:countTokens`,
  'gemini-embed-content': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:embedContent`,
  'gemini-embeddings': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:batchEmbedContents`,
}

/** Declares a vendor that can be configured but not called. */
export function unsupportedVendor(given: Omit<Given, 'formats' | 'address' | 'auth' | 'streamOptions'>): Vendor {
  return vendor({ ...given, formats: [], auth: bearer(), streamOptions: false })
}

/** `Authorization: Bearer <key>`. */
export function bearer(): Auth {
  return { kind: 'bearer' }
}
