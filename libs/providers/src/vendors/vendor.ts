import type { KnownBetas } from './betas.ts'
import type { VendorTraits } from '../chat/codec.ts'
import type { JsonObject } from '../json.ts'
import type { FollowUp } from '../calls/follow-up.ts'
import type { CallFacts, ApiFormat } from '../calls/api-format.ts'
import type { ChannelType } from './channel-types.ts'
import type { ErrorCodes } from './error-codes.ts'
import { orderByModel, type ApiConditions, type ModelApis } from './model-apis.ts'
import { withReasoning } from '../chat/formats/openai-chat/reasoning-back.ts'
import { withToldSchema } from '../chat/formats/openai-chat/told-schema.ts'
import { applyQuirks, type Quirks } from './quirks.ts'
import type { SystemPlace } from '../adapters/system-messages.ts'
import type { KeyRenewal } from './renewal.ts'

/** A text in both languages. */
export type LocalizedText = { readonly zh: string; readonly en: string }

/** How the key is sent. For `google`, `aws`, `aws-mantle`, `baidu`, `tencent` and `xunfei`, libs/upstream derives a credential from it. */
export type Auth =
  | { readonly kind: 'bearer'; readonly token?: (key: string) => string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'google' }
  | { readonly kind: 'aws' }
  | { readonly kind: 'aws-mantle' }
  | { readonly kind: 'baidu' }
  | { readonly kind: 'tencent' }
  | { readonly kind: 'xunfei' }

/** The address of a call: a path below the base URL, the base URL itself, or derived from the key and the channel's `other` field. */
export type Address =
  | { readonly kind: 'path'; readonly path: (call: CallFacts) => string }
  | { readonly kind: 'base-url' }
  /** Undefined if the key or `other` is malformed. */
  | { readonly kind: 'derived'; readonly url: (call: CallFacts, base: string) => string | undefined }

/** A public description of the API that the manifest follows, and when it was last compared. */
export type Reference = { readonly url: string; readonly checked: string }

export type Vendor = {
  readonly channelType: ChannelType
  readonly name: LocalizedText
  /** `owned_by` of its models. */
  readonly ownedBy: string
  /** Empty if the channel must set its own. */
  readonly baseUrl: string
  /** The formats it supports, preferred first; a function if they depend on the model or the channel's `other` field. */
  readonly formats: readonly ApiFormat[] | ((upstream_model: string, other: string) => readonly ApiFormat[])
  /** Which of the formats serve some models; absent: all serve all models. */
  readonly modelApis?: readonly ModelApis[]
  readonly address: Address
  /** The client's query is not forwarded; the address may use parts of it. */
  readonly dropsQuery?: boolean
  readonly auth: Auth
  /** Other chat APIs of the vendor, for some keys or models: each is declared as a vendor of its own. */
  readonly otherApis?: readonly { readonly serves: (call: Calling) => boolean; readonly vendor: Vendor }[]
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
  readonly patch?: (body: JsonObject, call: BodyFacts) => JsonObject
  /** Differences from OpenAI's format; `vendor` applies them after `patch`. */
  readonly quirks?: Quirks
  /** Models of all makers may have role `developer`, which OpenAI added; absent: it is sent as `system` to models of others. */
  readonly knowsDeveloper?: true
  /** Where the vendor accepts no system message after the first turn: what becomes of one, by format. */
  readonly systemMessages?: Partial<Record<ApiFormat, SystemPlace>>
  /** The format that the quirks are about; default: OpenAI's chat. */
  readonly quirksFormat?: ApiFormat
  /** How it uses OpenAI's chat format beyond OpenAI's own fields. */
  readonly traits?: VendorTraits
  /** The vendor's own error codes, if it states errors by them. */
  readonly errorCodes?: ErrorCodes
  /** For keys that expire and can be renewed. */
  readonly renewal?: KeyRenewal
  /** The betas of Anthropic's API that it knows, for hosts of Anthropic's models; absent: the client's pass as they are. */
  readonly betas?: KnownBetas
  /** Headers other than the credential. */
  readonly headers?: (call: BodyFacts) => Readonly<Record<string, string>>
  /** Where the real answer is, if this one only says so; undefined if it is the real one. */
  readonly followUp?: (answer: unknown, call: BodyFacts) => FollowUp | undefined
  /** Streams are AWS binary frames, each with one event of the format. */
  readonly isAwsFramed?: boolean
  /** The request is the first message of a WebSocket, and each message of the vendor is one event of the format. */
  readonly webSocket?: { readonly isLast: (message: JsonObject) => boolean }
  /** Offered for new channels. */
  readonly isSelectable: boolean
  /** Why the vendor's API no longer exists. Its channels keep their type and are refused with this text. */
  readonly retired?: LocalizedText
  /** Facts that operators must know before they choose the vendor, such as the end of its own service. */
  readonly notice?: LocalizedText
  /** Absent: no public reference was found, so the manifest is unverified. */
  readonly reference?: Reference
}

type BodyFacts = Pick<CallFacts, 'format' | 'model' | 'is_stream' | 'other' | 'key'>

/** Facts that decide which API of a vendor is called; `model` is the upstream's name. */
export type Calling = Pick<CallFacts, 'key' | 'model' | 'other'> & { readonly base_url?: string }

type Given = Omit<Vendor, 'address' | 'isSelectable'> & Partial<Pick<Vendor, 'address' | 'isSelectable'>>

/** Declares a vendor; the defaults are OpenAI's. */
export function vendor(given: Given): Vendor {
  const { patch } = given
  const isChat = quirksFormatOf(given) === 'openai-chat' && given.knowsDeveloper !== true
  const quirks = isChat ? { roles: { developer: 'system' }, ...given.quirks } : given.quirks
  const own = { address: openAiPaths(), isSelectable: true, ...given }
  const { traits = {} } = given
  return {
    ...own,
    ...(quirks === undefined ? {} : { quirks }),
    patch: (body, call) => {
      const patched = patch?.(body, call) ?? body
      const whole = call.format === 'openai-chat' ? withToldSchema(withReasoning(patched, traits), traits) : patched
      return quirks !== undefined && call.format === quirksFormatOf(own) ? applyQuirks(quirks, whole, call.is_stream) : whole
    },
  }
}

/** The format that a vendor's quirks are about. */
export function quirksFormatOf({ quirksFormat = 'openai-chat' }: Pick<Vendor, 'quirksFormat'>): ApiFormat {
  return quirksFormat
}

/** The formats a vendor supports for this model on a channel with this `other` field. */
export function formatsOf({ formats }: Vendor, upstream_model: string, other = ''): readonly ApiFormat[] {
  return typeof formats === 'function' ? formats(upstream_model, other) : formats
}

type Channel = { readonly base_url: string; readonly other: string; readonly setting: JsonObject }

/** Those of them that serve a request on this channel, the best one for clients of other formats first. */
export function servingFormats(
  vendor: Vendor,
  { model, channel, request }: Pick<ApiConditions, 'request'> & { readonly model: string; readonly channel: Channel },
): readonly ApiFormat[] {
  const formats = formatsOf(vendor, model, channel.other)
  if (vendor.modelApis === undefined) return formats
  const isOwnAddress = vendor.baseUrl === '' || channel.base_url.trim() === '' || channel.base_url.startsWith(vendor.baseUrl)
  const conditions = { isOwnAddress, preferred: channel.setting['preferred_api'] }
  return orderByModel(formats, vendor.modelApis, { model, ...conditions, ...(request === undefined ? {} : { request }) })
}

/** The vendor's API for this call. */
export function apiFor(vendor: Vendor, call: Calling): Vendor {
  return vendor.otherApis?.find(({ serves }) => serves(call))?.vendor ?? vendor
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
  'baidu-chat': '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions',
  // A vendor of Converse derives the rest.
  'bedrock-converse': '/model',
  'coze-chat': '/v3/chat',
  'dify-chat': '/v1/chat-messages',
  'replicate-chat': '/v1/predictions',
  'tencent-chat': '/',
  'xunfei-chat': '/v1.1/chat',
  'replicate-images': '/v1/predictions',
  'ali-image-tasks': '/api/v1/services/aigc/text2image/image-synthesis',
  'ali-images': '/api/v1/services/aigc/multimodal-generation/generation',
  'openai-completions': '/v1/completions',
  'openai-embeddings': '/v1/embeddings',
  'cohere-embeddings': '/v2/embed',
  'openai-moderations': '/v1/moderations',
  'openai-images': '/v1/images/generations',
  'openai-image-edits': '/v1/images/edits',
  'openai-image-edits-json': '/v1/images/edits',
  'openai-speech': '/v1/audio/speech',
  'openai-transcriptions': '/v1/audio/transcriptions',
  'openai-translations': '/v1/audio/translations',
  'openai-realtime': ({ model }) => `/v1/realtime?model=${encodeURIComponent(model)}`,
  'gemini-caches': ({ gemini_version }) => `/${gemini_version}/cachedContents`,
  'gemini-live': ({ gemini_version }) => `/ws/google.ai.generativelanguage.${gemini_version}.GenerativeService.BidiGenerateContent`,
  rerank: '/v1/rerank',
  'anthropic-messages': '/v1/messages',
  gemini: ({ gemini_version, model, is_stream }) =>
    `/${gemini_version}/models/${encodeURIComponent(model)}:${is_stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  'anthropic-token-count': '/v1/messages/count_tokens',
  // Derived by its vendor.
  'bedrock-token-count': '/model',
  'openai-token-count': '/v1/responses/input_tokens',
  'openai-compaction': '/v1/responses/compact',
  'gemini-token-count': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:countTokens`,
  // Vendors of these derive the rest.
  'cloudflare-images': '/client/v4',
  'cloudflare-transcriptions': '/client/v4',
  'cloudflare-translations': '/client/v4',
  'vertex-embeddings': '/v1/projects',
  // Their families add the rest of the path.
  midjourney: '/mj',
  suno: '/suno',
  video: '',
  'gemini-embed-content': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:embedContent`,
  'gemini-predict': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:predict`,
  'gemini-embeddings': ({ gemini_version, model }) => `/${gemini_version}/models/${encodeURIComponent(model)}:batchEmbedContents`,
}

/** Declares a vendor whose API no longer exists. */
export function retiredVendor(
  given: Omit<Given, 'formats' | 'address' | 'auth' | 'streamOptions' | 'isSelectable'> & Required<Pick<Vendor, 'retired'>>,
): Vendor {
  return vendor({ ...given, formats: [], auth: bearer(), streamOptions: false, isSelectable: false })
}

/** `Authorization: Bearer <key>`, or a token that is part of the key. */
export function bearer(token?: (key: string) => string): Auth {
  return token === undefined ? { kind: 'bearer' } : { kind: 'bearer', token }
}
