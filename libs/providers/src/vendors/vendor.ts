import type { JsonObject } from '../json.ts'
import type { CallFacts, ApiFormat } from '../operations/api-format.ts'
import type { ChannelType } from './channel-types.ts'

/** A text in both languages. */
export type Words = { readonly zh: string; readonly en: string }

/** How the key travels. `google` and `aws` make a credential of it for each call: libs/upstream signs them. */
export type Auth =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'google' }
  | { readonly kind: 'aws' }

/** Where a call goes: to a path below the base URL, to the base URL itself, or to an address made of key and `other`. */
export type Address =
  | { readonly kind: 'below'; readonly path: (call: CallFacts) => string }
  | { readonly kind: 'whole' }
  /** Undefined: key or `other` are not of the right form. */
  | { readonly kind: 'own'; readonly url: (call: CallFacts, base: string) => string | undefined }

export type Vendor = {
  readonly channelType: ChannelType
  readonly name: Words
  /** `owned_by` of its models. */
  readonly ownedBy: string
  /** Empty: the channel must name its own. */
  readonly baseUrl: string
  /** The formats it answers in, best first; what it cannot do is not there. A function where they depend on the model. */
  readonly speaks: readonly ApiFormat[] | ((upstream_model: string) => readonly ApiFormat[])
  readonly address: Address
  /** The client's query says nothing to it beyond what the address has made of it. */
  readonly dropsQuery?: boolean
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
  readonly patch?: (body: JsonObject, call: Pick<CallFacts, 'format' | 'model' | 'is_stream'>) => JsonObject
  /** Headers beside the credential. */
  readonly headers?: (call: Pick<CallFacts, 'format' | 'model' | 'is_stream'>) => Readonly<Record<string, string>>
  /** The stream comes as binary frames of AWS, each with one event of the format. */
  readonly isAwsFramed?: boolean
  /** Offered for new channels. */
  readonly isSelectable: boolean
}

type Given = Omit<Vendor, 'address' | 'isSelectable'> & Partial<Pick<Vendor, 'address' | 'isSelectable'>>

/** Declares a vendor; what is not said is as OpenAI has it. */
export function vendor(given: Given): Vendor {
  return { address: below(), isSelectable: true, ...given }
}

/** The formats a vendor answers in for this model. */
export function formatsOf({ speaks }: Vendor, upstream_model: string): readonly ApiFormat[] {
  return typeof speaks === 'function' ? speaks(upstream_model) : speaks
}

/** Paths below the base URL: OpenAI's, but for those that are given. */
export function below(own: Partial<Record<ApiFormat, string | ((call: CallFacts) => string)>> = {}): Address {
  return {
    kind: 'below',
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

/** Declares a vendor that we list but do not speak to. */
export function listed(given: Omit<Given, 'speaks' | 'address' | 'auth' | 'streamOptions'>): Vendor {
  return vendor({ ...given, speaks: [], auth: bearer(), streamOptions: false })
}

/** `Authorization: Bearer <key>`. */
export function bearer(): Auth {
  return { kind: 'bearer' }
}
