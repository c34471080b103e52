import { textOf } from '@tollgate/contracts/app-error'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { DecodedRequest, ModelRequest } from '../chat/model-request.ts'
import type { ReadAnswer } from '../chat/codec.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { usageFromOpenAi } from '../chat/formats/openai-chat/usage.ts'
import { countAt, isObject, objectAt, type JsonObject } from '../json.ts'

type Invalid = Extract<DecodedRequest, { kind: 'invalid' }>

export const NOT_AN_OBJECT: Invalid = { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }

export const invalid = (code: Invalid['code'], detail: string): Invalid => ({ kind: 'invalid', code, detail })

/** The model name from the body, otherwise from the route. */
export function readModel(body: JsonObject, fromRoute: string | undefined): string | Invalid {
  const model = body['model'] ?? fromRoute
  if (model === undefined || model === null || model === '') return invalid('model.missing', textOf('model.missing', 'en'))
  return typeof model === 'string' ? model : invalid('request.field', 'field model must be a string')
}

/** The request of an operation other than chat, with defaults for a response without text. */
export function nonChatRequest(body: JsonObject, given: Pick<ModelRequest, 'model'> & Partial<ModelRequest>): ModelRequest {
  return {
    body,
    is_stream: false,
    include_usage: true,
    max_tokens: 0,
    n: 1,
    reasoning_effort: undefined,
    has_tools: false,
    texts: [],
    tool_texts: [],
    extra_tokens: 0,
    classes: { audio: false, images: false, cache_write: false },
    ...given,
  }
}

/** Reads a response with a list of results: OpenAI-style usage if present, or an error inside a 200. */
export function readListAnswer(body: unknown, list: 'data' | 'results'): ReadAnswer {
  const answer = isObject(body) ? body : {}
  if (answer['error'] !== undefined && answer['error'] !== null) return { kind: 'failed', failure: decodeUpstreamError(200, answer) }
  if (!Array.isArray(answer[list])) return { kind: 'failed', failure: { kind: 'malformed', message: `the answer has no ${list}` } }
  const usage = usageFromOpenAi(answer['usage'])
  const raw_usage = usage === undefined ? undefined : toRawUsage(answer['usage'])
  return { kind: 'answer', texts: [], tool_texts: [], usage, raw_usage, finish: undefined }
}

/** The same for calls whose answer has no tokens: a total without its parts is the prompt's. */
export function readPromptAnswer(body: unknown, list: 'data' | 'results'): ReadAnswer {
  const read = readListAnswer(body, list)
  if (read.kind === 'failed' || (read.usage?.prompt_tokens ?? 0) > 0) return read
  const raw = objectAt(body, 'usage')
  const total = countAt(raw, 'total_tokens')
  return total === 0 ? read : { ...read, usage: promptUsage(total), raw_usage: toRawUsage(raw) }
}

/** Usage of a call that has prompt tokens only. */
export function promptUsage(tokens: number): Usage {
  return { ...ZERO_USAGE, text_in: tokens, prompt_tokens: tokens, source: 'upstream' }
}

/** The texts of an embeddings call; undefined if it holds tokens, which other tokenizers cannot read. */
export function textsOnly(input: unknown): readonly string[] | undefined {
  if (typeof input === 'string') return [input]
  return Array.isArray(input) && input.every((text): text is string => typeof text === 'string') ? input : undefined
}
