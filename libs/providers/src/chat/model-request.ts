import type { PricedExtras } from '@tollgate/contracts/pricing/quote'
import type { Form } from '../form.ts'
import type { JsonObject } from '../json.ts'
import type { Demand } from './demands.ts'
import type { InputClasses } from './answer-facts.ts'
import type { OptionValues, OtherModel } from './priced-options.ts'

/** Facts of a request that the gateway needs, in every format. */
export type RequestFacts = {
  readonly model: string
  readonly is_stream: boolean
  /** The client wants usage in its stream. True for formats that always send it. */
  readonly include_usage: boolean
  /** The client's `stream_options` has members besides `include_usage`. */
  readonly has_own_stream_options?: boolean
  /** Token limit of the answer, for all `n` choices together; absent: the client set none. */
  readonly max_tokens: number | undefined
  readonly n: number
  readonly reasoning_effort: string | undefined
  /** The body asks the model to reason. */
  readonly asks_reasoning?: boolean
  /** The client may know either of the fields for reasoning in a chat, so it gets both; absent: the usual one, or the vendor's. */
  readonly both_reasoning_fields?: true
  readonly has_tools: boolean
  /** Tokens for everything that is not text: message frames, images, audio, files. */
  readonly extra_tokens: number
  readonly classes: InputClasses
  /** Options that change the price, such as a service tier; absent if none. */
  readonly options?: OptionValues
  /** Models that the request names besides its own; absent if none. */
  readonly other_models?: readonly OtherModel[]
  /** Vendor tools and images that the request asks for; absent if none. */
  readonly priced?: PricedExtras
  /** Features that only the vendor has, such as tools that it runs; absent if there are none. */
  readonly demands?: readonly Demand[]
  /** The name of a prompt that the vendor caches and the request begins with (Google). */
  readonly cached_content?: string
  /** The vendor keeps the conversation, and this request begins it or continues the answer with this id (Anthropic). */
  readonly thread?: { readonly previous_message_id?: string }
  /** The vendor runs code in a container: a new one, or the one with this id (Anthropic). */
  readonly container?: { readonly id?: string }
  /** Formats whose clients can refer to earlier answers; absent in all others. */
  readonly state?: ConversationState
}

/** How a request uses answers that are kept on the server. */
export type ConversationState = {
  /** The client did not forbid to keep the answer. */
  readonly is_stored: boolean
  readonly previous_response_id?: string
  /** A conversation whose items come before the input (OpenAI). */
  readonly conversation_id?: string
  /** Ids of items that the input refers to. */
  readonly item_ids: readonly string[]
  /** Ids of items that are whole but contain reasoning which only the channel that made them can read. */
  readonly hinted_ids: readonly string[]
  /** The input repeats items of answers that this gateway converted; vendors do not know their ids. */
  readonly has_own_items: boolean
  /** Google's Interactions, whose items are steps; absent: OpenAI's Responses. */
  readonly kind?: 'interaction'
}

/** A request with its content. The body is kept as received. */
export type ModelRequest = RequestFacts & {
  readonly body: JsonObject
  /** Texts of the prompt: for sensitive words and the estimate. Strings are referenced, never copied. */
  readonly texts: readonly string[]
  /** Names, descriptions and schemas of tools: for the estimate only. */
  readonly tool_texts: readonly string[]
  /** The form, for calls whose body is one. */
  readonly form?: Form | undefined
}

/** The facts without the content, which they can outlive. */
export function factsOf({ body: _body, texts: _texts, tool_texts: _tools, form: _form, ...facts }: ModelRequest): RequestFacts {
  return facts
}

export type DecodedRequest =
  | { readonly kind: 'ok'; readonly request: ModelRequest }
  | {
      readonly kind: 'invalid'
      readonly code: 'request.invalid' | 'request.field' | 'model.missing'
      readonly detail: string
      readonly field?: string
    }

/** Facts of a call that its path and headers state besides the body. */
export type RouteFacts = {
  /** Model named by the path. */
  readonly model?: string
  /** Streaming requested by the path. */
  readonly is_stream?: boolean
  /** Version of the API that the client names. */
  readonly api_version?: string
  /** See `RequestFacts`. */
  readonly both_reasoning_fields?: true
  /** When the request came, in Unix milliseconds; absent where no route needs it. */
  readonly now?: number
}
