import type { PricedExtras } from '@tollgate/contracts/quote'
import type { Form } from '../operations/form.ts'
import type { JsonObject } from '../json.ts'
import type { InputClasses } from './answer-facts.ts'

/** What the gateway needs to know of a request, whatever its format and wherever its content lies. */
export type RequestFacts = {
  readonly model: string
  readonly is_stream: boolean
  /** The client wants to read the usage of its stream. True for formats that always tell it. */
  readonly include_usage: boolean
  /** Tokens the answer may have, all `n` choices together; absent: the client set no limit. */
  readonly max_tokens: number | undefined
  readonly n: number
  readonly reasoning_effort: string | undefined
  readonly has_tools: boolean
  /** Tokens of what is no text: message frames, images, audio, files. */
  readonly extra_tokens: number
  readonly classes: InputClasses
  /** Tools of the vendor and images that the request asks for; absent where there are none. */
  readonly priced?: PricedExtras
}

/** A request with its content. The body itself stays as it came. */
export type ModelRequest = RequestFacts & {
  readonly body: JsonObject
  /** What people wrote: for sensitive words and the estimate. Strings are referred to, never copied. */
  readonly texts: readonly string[]
  /** Names, descriptions and schemas of tools: for the estimate only. */
  readonly tool_texts: readonly string[]
  /** Of a call whose body is a form: the form itself. */
  readonly form?: Form | undefined
}

/** The facts alone: they may outlive the content. */
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

/** What the address of a call says beside the body (Gemini's does). */
export type RouteFacts = {
  /** Model named by the path. */
  readonly model?: string
  /** Streaming named by the path. */
  readonly is_stream?: boolean
}
