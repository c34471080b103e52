import type { CountInto } from '@tollgate/contracts/character-counts'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { DecodedRequest, ModelRequest, RouteFacts } from '../chat/model-request.ts'
import type { MediaSource } from '../chat/request.ts'
import type { AnswerStream } from '../chat/stream.ts'
import type { AnswerFacts } from '../chat/answer-facts.ts'
import type { JsonObject } from '../json.ts'
import type { ApiFormat } from './api-format.ts'

/** One kind of call that clients make: how its body is read and what each vendor format makes of it. */
export type Operation = {
  /** For the log; stable. */
  readonly name: string
  /** Whether bodies are JSON objects or forms with files. */
  readonly body: 'json' | 'multipart'
  /** Forms only: its file is sound, whose duration must be known before the call. */
  readonly measures?: 'audio'
  /** Charges nothing; it is admitted and logged as every other call. */
  readonly isFree?: boolean
  /** What the gateway answers by itself where no channel serves the call. */
  localAnswer?(prompt_tokens: number): JsonObject
  /** Checks the body (the parsed JSON, or a `Form`) and says what the gateway must know of it. */
  readRequest(body: unknown, route: RouteFacts): DecodedRequest
  /** The format in which a vendor that speaks these serves it; undefined: it cannot. The first choice is the client's own. */
  formatFor(formats: readonly ApiFormat[], request: ModelRequest): ApiFormat | undefined
  /** Why only a vendor of the client's own format can serve this body; told to the client when there is none. */
  findObstacle?(request: ModelRequest): string | undefined
  /**
   * What of the body its answer repeats or follows; absent: nothing. A plan made of that and the facts alone reads every answer as one
   * made of the whole request does, but cannot be encoded.
   */
  answerSettings?(request: ModelRequest): JsonObject
  /** How it goes there and comes back. Cheap until it is encoded. */
  createTranslator(format: ApiFormat, input: TranslatorInput): Translator
}

export type TranslatorInput = {
  readonly request: ModelRequest
  /** The bytes as the client sent them. */
  readonly raw: Buffer
  readonly content_type: string
  /** Of our request, for answers that need an id. */
  readonly request_id: string
  /** Unix seconds. */
  readonly created: number
  readonly prompt_tokens: number
  readonly count: CountInto
  readonly settings: ConversionSettings
  /** Channel settings that force a conversion where bytes could pass. */
  readonly thinking_to_content?: boolean
  readonly force_format?: boolean
}

/** The operator's options that conversions depend on, read for the model asked for. */
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
  /** The vendor understands `stream_options`. */
  readonly supports_stream_options: boolean
  readonly param_override: JsonObject
  /** The vendor's patch of the final body. */
  readonly patch: ((body: JsonObject) => JsonObject) | undefined
  /** Addresses that were fetched for a vendor that cannot. */
  readonly media: ReadonlyMap<string, MediaSource>
}

export type Encoded = {
  readonly body: Buffer
  readonly content_type: string
  readonly warnings: readonly string[]
  /** What may come back, where it is neither JSON nor an event stream. */
  readonly accept?: string
}

export type WholeRead =
  | ({
      readonly kind: 'answer'
      /** What the client gets. */
      readonly bytes: Buffer
      readonly content_type: string
      readonly texts: readonly string[]
      readonly tool_texts: readonly string[]
      readonly warnings: readonly string[]
    } & AnswerFacts)
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** How one request goes to one vendor format and comes back. */
export type Translator = {
  readonly format: ApiFormat
  /** Bytes pass; nothing is translated. */
  readonly isSameFormat: boolean
  /** Addresses that the vendor cannot fetch itself. */
  media(): readonly string[]
  encode(input: EncodeInput): Encoded
  /** The type under which the client gets the answer piece by piece; undefined: this answer is read as a whole. */
  streamType(content_type: string): string | undefined
  openStream(): AnswerStream
  readWhole(bytes: Buffer, content_type: string): WholeRead
  /** An error answer. The vendor's own error object stays in it only where the client speaks the same format. */
  decodeError(status: number, body: unknown): UpstreamFailure
}
