import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { JsonObject } from '../json.ts'
import type { ConversationState, DecodedRequest, ModelRequest, RouteFacts } from './model-request.ts'
import type { Demand, HostedTools } from './demands.ts'
import type { ModelRule } from './model-rules.ts'
import type { ModelEvent } from './events.ts'
import type { CarriedContext, Content } from './content.ts'
import type { ChatFormat, ChatRequest, VendorChatFormat } from './request.ts'
import type { AnswerStream, StreamEnding } from './stream.ts'
import type { AnswerFacts } from './answer-facts.ts'

/** An error for a client API. `upstream_body` is the vendor's own error object if it is of the client's format. */
export type RenderedError = {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string
  /** Seconds after which a repeat makes sense. */
  readonly retry_after_s?: number | undefined
  readonly upstream_body?: unknown
}

/** The client's side of a format. */
export type ClientSide = {
  /** Validates a parsed body field by field and reads the facts the gateway needs. Never throws. */
  decodeRequest(body: unknown, route: RouteFacts): DecodedRequest
  /** Decodes the whole conversation, for a vendor of another format. Only for bodies that `decodeRequest` accepted. */
  decodeChat(request: ModelRequest): ChatRequest
  /** The fields of the client's body that the answer repeats or depends on; absent: none. They outlive the request body. */
  answerSettings?(body: JsonObject): JsonObject
  /** Contents of a checked body, or of the answer that it requests, besides text, each with its field. */
  listContents(body: JsonObject): readonly Content[]
  /** Actions that a checked body demands of the vendor, besides an answer. */
  listDemands(body: JsonObject): readonly Demand[]
  /** Encodes an answer as one body. `id` is used where upstream sent none; `created` is in Unix seconds. */
  encodeAnswer(events: readonly ModelEvent[], input: AnswerInput): { readonly body: JsonObject; readonly warnings: readonly string[] }
  /** Encodes an answer as a stream. */
  createEncoder(input: AnswerInput): StreamEncoder
  /**
   * Which calls its answers can express only with whole arguments: an answer with others is a failure. Gets the result of
   * `answerSettings`; absent: none.
   */
  objectCalls?(settings: JsonObject): (name: string) => boolean
  /** The whole answer as it is kept for later turns, with its items in `output`; absent: the format's own. */
  keptAnswer?(body: JsonObject): JsonObject
  /** The body of an error answer. */
  renderError(error: RenderedError): string
  /** The same inside a stream that has started; the stream ends there. */
  renderStreamError(error: RenderedError, place?: StreamPlace): string
  /** Event that keeps an idle stream open. */
  readonly ping: string
  /** The same for a JSON array; absent in formats that have none. */
  readonly arrayPing?: string
}

/** Gemini clients can ask for a JSON array instead of an event stream. */
export type StreamFrame = 'sse' | 'array'

/** A position in a stream. `isFirst`: nothing of the answer has been written. */
export type StreamPlace = { readonly frame: StreamFrame; readonly isFirst: boolean }

export type AnswerInput = {
  readonly id: string
  readonly created: number
  /** The model name that the client sent. */
  readonly model: string
  readonly include_usage: boolean
  /** Our estimate of prompt tokens, for formats that report them first; upstream's own count replaces it. */
  readonly prompt_tokens: number
  /** The result of `answerSettings`; empty for formats without it. */
  readonly body: JsonObject
  /** For formats whose answers say whether they are kept. */
  readonly state?: Pick<ConversationState, 'is_stored' | 'previous_response_id'>
  /** Absent: an event stream. */
  readonly frame?: StreamFrame
}

/** Encodes events in the client's format. Its output is well-formed in whatever order events arrive. */
export type StreamEncoder = {
  /** The bytes to send now; can be empty. */
  push(event: ModelEvent): string
  /** Bytes to send after settlement: everything that tells the client that the answer is complete (finish, usage, end marker). */
  closing(usage: Usage): string
  readonly warnings: readonly string[]
  /** The whole answer once `closing` was called, in formats whose answers can be kept. */
  readonly answer?: JsonObject | undefined
  /** See `AnswerStream`. */
  keepAlive?(): string | undefined
  /** See `AnswerStream`. */
  renderError?(error: RenderedError): string
}

/** The vendor's side of a format. */
export type VendorSide = {
  /** Encodes the body for a vendor of this format. Pure: media URLs stay URLs. */
  encodeChat(request: ChatRequest, context: EncodeContext): { readonly body: JsonObject; readonly warnings: readonly string[] }
  /** True if `encodeChat` can express this content. */
  carries(content: Content, context: CarriedContext): boolean
  /** Decodes a stream to events. */
  createDecoder(traits?: VendorTraits): StreamDecoder
  /** Decodes a parsed whole answer to events; an error inside a 200 gives one `failed`. `purpose` defaults to `translation`. */
  decodeAnswer(body: unknown, purpose?: AnswerPurpose, traits?: VendorTraits): ModelEvent[]
  /** Decodes an error answer. */
  decodeError(status: number, body: unknown): UpstreamFailure
  /** The vendor cannot fetch URLs of images and files: they are fetched and sent inline. */
  readonly wantsInlineMedia: boolean
  /** Arguments of calls are objects: a call of the history with others is sent as text. */
  readonly takesObjectArguments?: true
  /** No format of answers can be requested: it is an instruction. */
  readonly hasNoFormats?: true
  /** The format has no tools, so requests with tools go to other channels. */
  readonly hasNoTools?: true
}

/**
 * Use of a decoded answer. `translation`: it is written in another format, which has one choice. `pass-through`: the client receives the
 * vendor's body, so all choices are read, and whatever clients of the format accept as an answer is one.
 */
export type AnswerPurpose = 'translation' | 'pass-through'

/** Properties of a vendor's use of the format, from its manifest. */
export type VendorTraits = {
  /** Reasoning comes and returns as `reasoning_details`. */
  readonly reasoning_details?: boolean
  /** Conversations of Anthropic's message threads are kept. */
  readonly keeps_threads?: boolean
  /** Content of answers can be a list of parts. */
  readonly content_lists?: boolean
  /** How many characters `user` may have. */
  readonly user_limit?: number
  /** Tools that the vendor runs for converted requests; absent: none. */
  readonly hosted_tools?: readonly HostedTools[]
  /** Rules of the vendor for its models, where they differ from the makers' own. */
  readonly models?: readonly ModelRule[]
}

export type EncodeContext = VendorTraits & {
  readonly upstream_model: string
  readonly is_stream: boolean
  /** The vendor understands `stream_options`. */
  readonly supports_stream_options: boolean
  /** For formats that require a limit, when the client set none: option `claude.default_max_tokens`. */
  readonly default_max_tokens: number
  /** Option `gemini.safety_settings`, as category and threshold. */
  readonly safety_settings: readonly { readonly category: string; readonly threshold: string }[]
  /** The model is in option `gemini.supported_imagine_models`. */
  readonly makes_images: boolean
}

export type StreamDecoder = {
  push(chunk: Buffer): ModelEvent[]
  /** Upstream's stream has ended. */
  end(): { readonly events: ModelEvent[]; readonly ending: StreamEnding }
  /** The end marker was received. */
  readonly isDone: boolean
  /** Events that were not JSON or exceeded the size limit. */
  readonly unreadable: number
}

/** The side of a format that serves clients and vendors who both use it: bytes pass through. */
export type PassThroughSide = {
  /** The body for upstream: the client's bytes with only the necessary values replaced. */
  encodeBody(input: PassThroughInput): Buffer
  createUsageReader(input: UsageReaderInput): AnswerStream
}

export type PassThroughInput = {
  /** The bytes as the client sent them; `body` is the same, parsed. */
  readonly raw: Buffer
  readonly body: JsonObject
  readonly upstream_model: string
  readonly is_stream: boolean
  readonly supports_stream_options?: boolean
  /** The channel's own keys; each replaces the key of the body. */
  readonly param_override?: JsonObject
  /** The vendor's patch; returns the same object when there is nothing to change. */
  readonly patch?: ((body: JsonObject) => JsonObject) | undefined
  readonly state?: ConversationState | undefined
}

export type UsageReaderInput = {
  readonly wants_usage: boolean
  /** The client asked for the usage so far in every chunk, as vLLM gives it. */
  readonly wants_interim_usage?: boolean
  readonly count: CountInto
  /** Framing that the client requested; the upstream always streams events. */
  readonly frame?: StreamFrame
}

export type ReadAnswer =
  | ({ readonly kind: 'answer'; readonly texts: readonly string[]; readonly tool_texts: readonly string[] } & AnswerFacts)
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** A chat format as a vendor speaks it. */
export type VendorCodec = { readonly name: ChatFormat | VendorChatFormat; readonly vendor: VendorSide }

/** One chat format with its three sides. */
export type ChatCodec = {
  readonly name: ChatFormat
  readonly client: ClientSide
  readonly vendor: VendorSide
  readonly passThrough: PassThroughSide
}
