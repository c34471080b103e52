import type { Usage } from '@tollgate/contracts/quote'
import type { CountInto } from '@tollgate/contracts/text-counts'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { JsonObject } from '../json.ts'
import type { DecodedRequest, ModelRequest, RouteFacts } from './model-request.ts'
import type { ModelEvent } from './events.ts'
import type { ChatFormat, ChatRequest } from './request.ts'
import type { AnswerStream, StreamEnding } from './stream.ts'
import type { AnswerFacts } from './answer-facts.ts'

/** An error as a surface tells it. `upstream_body` is the vendor's own error object where it is of the same format. */
export type RenderedError = {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string
  readonly upstream_body?: unknown
}

/** The client's side of a format. */
export type ClientSide = {
  /** Checks a parsed body by field and type and says what the gateway must know of it. Never throws. */
  decodeRequest(body: unknown, route: RouteFacts): DecodedRequest
  /** The whole conversation, for a vendor of another format. Only of bodies that `decodeAsk` found good. */
  decodeChat(request: ModelRequest): ChatRequest
  /** What of the client's body the answer repeats or follows; absent: nothing. An answer outlives its request. */
  answerSettings?(body: JsonObject): JsonObject
  /** An answer as one body. `id` is used where upstream gave none; `created` is in unix seconds. */
  encodeAnswer(events: readonly ModelEvent[], input: AnswerInput): { readonly body: JsonObject; readonly warnings: readonly string[] }
  /** An answer as a stream. */
  createEncoder(input: AnswerInput): StreamEncoder
  /** The body of an error answer. */
  renderError(error: RenderedError): string
  /** The same inside a stream that has begun; it ends there. */
  renderStreamError(error: RenderedError, place?: StreamPlace): string
  /** What keeps a silent stream open. */
  readonly ping: string
  /** The same for a JSON array; absent in formats that have none. */
  readonly arrayPing?: string
}

/** Gemini's clients may ask for a JSON array instead of an event stream. */
export type StreamFrame = 'sse' | 'array'

/** Where in a stream something is written. `isFirst`: nothing of the answer has been written before. */
export type StreamPlace = { readonly frame: StreamFrame; readonly isFirst: boolean }

export type AnswerInput = {
  readonly id: string
  readonly created: number
  /** The name the client asked for. */
  readonly model: string
  readonly include_usage: boolean
  /** Prompt tokens by our estimate, for formats that tell them first; upstream's own replace them. */
  readonly prompt_tokens: number
  /** What `keptOf` kept of the client's body; empty for formats that keep nothing. */
  readonly body: JsonObject
  /** Absent: an event stream. */
  readonly frame?: StreamFrame
}

/** Events to bytes of the client's format. A strict state machine: whatever order events come in, what goes out is well-formed. */
export type StreamEncoder = {
  /** What goes out at once; may be empty. */
  push(event: ModelEvent): string
  /** After the settlement: everything that says the answer is complete (finish, usage, end marker). */
  closing(usage: Usage): string
  readonly warnings: readonly string[]
}

/** The vendor's side of a format. */
export type VendorSide = {
  /** The body for a vendor of this format from a conversation that came in another. Pure: addresses of media stay addresses. */
  encodeChat(request: ChatRequest, context: EncodeContext): { readonly body: JsonObject; readonly warnings: readonly string[] }
  /** Bytes of a stream to events. */
  createDecoder(): StreamDecoder
  /** Converts a parsed whole answer to events; an error inside a 200 gives one `failed`. `purpose` defaults to `translation`. */
  decodeAnswer(body: unknown, purpose?: AnswerPurpose): ModelEvent[]
  /** What an error answer says. */
  decodeError(status: number, body: unknown): UpstreamFailure
  /** The vendor cannot fetch addresses of images and files: they are fetched and sent along. */
  readonly wantsInlineMedia: boolean
}

/**
 * What a decoded answer is used for. `translation`: it is written in another format, which has one choice. `pass-through`: the client
 * receives the vendor's body, so all choices are read, and whatever clients of the format accept as an answer is one.
 */
export type AnswerPurpose = 'translation' | 'pass-through'

export type EncodeContext = {
  readonly upstream_model: string
  readonly is_stream: boolean
  /** The vendor understands `stream_options`. */
  readonly supports_stream_options: boolean
  /** For formats that demand a limit when the client set none: option `claude.default_max_tokens`. */
  readonly default_max_tokens: number
  /** Option `gemini.safety_settings`, as category and threshold. */
  readonly safety_settings: readonly { readonly category: string; readonly threshold: string }[]
  /** The model is in option `gemini.supported_imagine_models`. */
  readonly makes_images: boolean
}

export type StreamDecoder = {
  push(chunk: Buffer): ModelEvent[]
  /** Upstream's stream is over. */
  end(): { readonly events: ModelEvent[]; readonly ending: StreamEnding }
  /** The end marker came. */
  readonly isDone: boolean
  /** Events that were no JSON or outgrew every bound. */
  readonly unreadable: number
}

/** What is done where client and vendor speak this format both: bytes pass. */
export type PassThroughSide = {
  /** The body for upstream: the client's bytes with only that exchanged which must be. */
  encodeBody(input: PassThroughInput): Buffer
  createUsageReader(input: UsageReaderInput): AnswerStream
}

export type PassThroughInput = {
  /** The bytes as the client sent them, and the same parsed. */
  readonly raw: Buffer
  readonly body: JsonObject
  readonly upstream_model: string
  readonly is_stream: boolean
  readonly supports_stream_options?: boolean
  /** The channel's own keys; each replaces the key of the body. */
  readonly param_override?: JsonObject
  /** The vendor's patch; returns the same object when there is nothing to change. */
  readonly patch?: ((body: JsonObject) => JsonObject) | undefined
}

export type UsageReaderInput = {
  readonly wants_usage: boolean
  readonly count: CountInto
  /** What the client asked for; upstream is always asked for an event stream. */
  readonly frame?: StreamFrame
}

export type ReadAnswer =
  | ({ readonly kind: 'answer'; readonly texts: readonly string[]; readonly tool_texts: readonly string[] } & AnswerFacts)
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** One format of conversations: the same three sides for each. */
export type ChatCodec = {
  readonly name: ChatFormat
  readonly client: ClientSide
  readonly vendor: VendorSide
  readonly passThrough: PassThroughSide
}
