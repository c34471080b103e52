import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { VendorTraits } from '../chat/codec.ts'
import type { Demand } from '../chat/demands.ts'
import type { DecodedRequest, ModelRequest, RouteFacts } from '../chat/model-request.ts'
import type { MediaSource } from '../chat/request.ts'
import type { AnswerStream } from '../chat/stream.ts'
import type { AnswerFacts } from '../chat/answer-facts.ts'
import type { JsonObject } from '../json.ts'
import type { ApiFormat } from './api-format.ts'
import type { ResponseType } from './response-type.ts'

/** One kind of client call: how its body is read and which formats can serve it. */
export type Operation = {
  /** A stable name for logs. */
  readonly name: string
  /** Form of the bodies: JSON objects, or forms with files. */
  readonly body: 'json' | 'multipart'
  /** Forms only: the file is audio whose duration must be determined before the call. */
  readonly measures?: 'audio'
  /** Not charged, but admitted and logged like any other call. */
  readonly isFree?: boolean
  /** Another model can answer it in place of the requested one: its answer is text for the reader, no vector or file of one model. */
  readonly canFallBack?: true
  /** The vendor makes something that it charges by the piece: a second call makes and charges it again. */
  readonly isOrder?: true
  /** The price of a tool without which the call is refused: its vendor charges for more than tokens. */
  readonly pricedBy?: string
  /** Object of its answer that later requests of the user name, kept with the channel and key that made it. */
  readonly keeps?: 'cache'
  /** The gateway's own response if no channel can serve the call. */
  localAnswer?(prompt_tokens: number): JsonObject
  /** Validates the body (parsed JSON or a `Form`) and extracts what the gateway needs. */
  readRequest(body: unknown, route: RouteFacts): DecodedRequest
  /** Selects one of a vendor's formats, preferring the client's own; undefined if none can serve the request. */
  formatFor(formats: readonly ApiFormat[], request: ModelRequest): ApiFormat | undefined
  /** Why the body cannot be converted to another format; the error if only vendors of other formats exist. */
  findObstacle?(request: ModelRequest): Obstacle | undefined
  /**
   * The parts of the body that its response repeats or depends on. A translator created from them and the request facts can read every
   * response but cannot encode the request.
   */
  answerSettings?(request: ModelRequest): JsonObject
  /** Creates the translator for one vendor format. Encoding is deferred. */
  createTranslator(format: ApiFormat, input: TranslatorInput): Translator
}

/** The reason why a body cannot be converted, and the field at fault. */
export type Obstacle = {
  readonly detail: string
  readonly field?: string
  /** The error, if it is one that clients act on; absent: the field is refused. */
  readonly refusal?: Demand['refusal']
}

export type TranslatorInput = {
  readonly request: ModelRequest
  /** The bytes as the client sent them. */
  readonly raw: Buffer
  readonly content_type: string
  /** The gateway's request id, for responses that need an id. */
  readonly request_id: string
  /** Unix seconds. */
  readonly created: number
  readonly prompt_tokens: number
  readonly count: CountInto
  readonly settings: ConversionSettings
  /** Traits of the channel's vendor; absent: none. */
  readonly traits?: VendorTraits
  /** The name of the model in a converted answer; default: the requested one. */
  readonly answer_model?: string
  /** Channel settings that force a conversion between equal formats. */
  readonly thinking_to_content?: boolean
  readonly force_format?: boolean
}

/** Operator options for conversions. */
export type ConversionSettings = {
  /** Option `claude.default_max_tokens`. */
  readonly default_max_tokens: (model: string) => number
  /** Option `gemini.safety_settings`. */
  readonly safety_settings: readonly { readonly category: string; readonly threshold: string }[]
  /** Option `gemini.supported_imagine_models`. */
  readonly makes_images: (model: string) => boolean
}

export type EncodeInput = {
  readonly upstream_model: string
  /** The vendor accepts `stream_options`. */
  readonly supports_stream_options: boolean
  readonly param_override: JsonObject
  /** The vendor's patch of the final body. */
  readonly patch: ((body: JsonObject) => JsonObject) | undefined
  /** Media that were fetched for a vendor that cannot fetch addresses. */
  readonly media: ReadonlyMap<string, MediaSource>
}

export type Encoded = {
  readonly body: Buffer
  readonly content_type: string
  readonly warnings: readonly string[]
  /** The `accept` header, if the response is neither JSON nor an event stream. */
  readonly accept?: string
}

export type WholeRead =
  | ({
      readonly kind: 'answer'
      /** The client's response body. */
      readonly bytes: Buffer
      readonly content_type: ResponseType
      readonly texts: readonly string[]
      readonly tool_texts: readonly string[]
      readonly warnings: readonly string[]
      /** The body with this usage, in a converted answer whose vendor did not state a sum in a usable way. */
      readonly withUsage?: (usage: Usage) => Buffer
      /** The parsed body, in formats whose answers can be kept. */
      readonly answer?: JsonObject | undefined
    } & AnswerFacts)
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Converts one request to a vendor format, and its response back. */
export type Translator = {
  readonly format: ApiFormat
  /** Bytes pass through without conversion. */
  readonly isSameFormat: boolean
  /** Media addresses that the vendor cannot fetch itself. */
  media(): readonly string[]
  encode(input: EncodeInput): Encoded
  /** The content type of a streamed response; undefined if the response is read as a whole. */
  streamType(content_type: string): ResponseType | undefined
  openStream(): AnswerStream
  readWhole(bytes: Buffer, content_type: string): WholeRead
  /** Decodes an error response. The vendor's error object is kept only if the client uses the same format. */
  decodeError(status: number, body: unknown): UpstreamFailure
}
