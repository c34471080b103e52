import type { DecodedRequest, ModelRequest, RouteFacts } from '../chat/model-request.ts'
import type { ReadAnswer } from '../chat/codec.ts'
import { tokenLimit } from '../chat/token-limit.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { createChatUsageReader, usageWanted } from '../chat/formats/openai-chat/usage-reader.ts'
import { usageFromOpenAi } from '../chat/formats/openai-chat/usage.ts'
import { isObject, objectAt, textAt } from '../json.ts'
import type { Operation, TranslatorInput } from '../calls/operation.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, readModel } from '../calls/non-chat.ts'
import { jsonCall } from '../calls/json-call.ts'

const call: Operation = jsonCall({
  name: 'completions',
  format: 'openai-completions',
  readRequest: readCompletionsRequest,
  readAnswer: readCompletionsAnswer,
  stream: {
    typeFor: (content_type, { request }) => {
      const type = content_type.toLowerCase()
      const isStream = type.includes('event-stream') || (request.is_stream && !type.includes('json') && !type.includes('html'))
      return isStream ? 'text/event-stream' : undefined
    },
    open: ({ request, count }) => createChatUsageReader({ ...usageWanted(request), count }),
  },
})

/** POST /v1/completions: https://platform.openai.com/docs/api-reference/completions/create · its stream is framed like chat's. */
export const completions: Operation = { ...call, canFallBack: true }

function readCompletionsRequest(body: unknown, route: RouteFacts): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, route.model)
  if (typeof model !== 'string') return model
  const { stream, max_tokens, n, best_of } = body
  const prompt = readPrompt(body['prompt'])
  if (typeof prompt === 'string') return invalid('request.field', prompt)
  if (!isAbsent(stream) && typeof stream !== 'boolean') return invalid('request.field', 'field stream must be a boolean')
  if (!isAbsent(max_tokens) && !isCount(max_tokens)) return invalid('request.field', 'max_tokens is invalid')
  if (!isAbsent(n) && !(isCount(n) && n >= 1 && n <= 128)) return invalid('request.field', 'n is invalid')
  if (!isAbsent(best_of) && !(isCount(best_of) && best_of >= 1 && best_of <= 128)) return invalid('request.field', 'best_of is invalid')
  const each = isCount(n) ? n : 1
  const hasHidden = isCount(best_of) && best_of > each
  if (hasHidden && stream === true) return invalid('request.field', 'best_of greater than n cannot be streamed')
  const answers = (hasHidden ? best_of : each) * prompt.count
  const limit = tokenLimit(max_tokens)
  return {
    kind: 'ok',
    request: nonChatRequest(body, {
      model,
      is_stream: stream === true,
      include_usage: objectAt(body, 'stream_options')['include_usage'] === true,
      // The format's default is 16 per completion, but vendors have defaults of their own.
      max_tokens: limit === undefined ? undefined : limit * answers,
      n: answers,
      texts: prompt.texts,
      extra_tokens: prompt.tokens,
      ...(answers === 1 ? {} : { priced: { answers } }),
    }),
  }
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 2 ** 30
const isToken = (item: unknown): item is number => Number.isSafeInteger(item)

type Prompt = { readonly texts: readonly string[]; readonly tokens: number; readonly count: number }

/** Reads one or several prompts as text or tokens; a returned string is an error detail. */
function readPrompt(prompt: unknown): Prompt | string {
  if (isAbsent(prompt) || prompt === '') return 'field prompt is required'
  if (typeof prompt === 'string') return { texts: [prompt], tokens: 0, count: 1 }
  if (!Array.isArray(prompt)) return 'field prompt must be a string or an array'
  if (prompt.length === 0) return 'field prompt is required'
  const list: readonly unknown[] = prompt
  if (list.every((item) => typeof item === 'string')) return { texts: list, tokens: 0, count: list.length }
  if (list.every(isToken)) return { texts: [], tokens: list.length, count: 1 }
  const isLists = list.every((item): item is readonly unknown[] => Array.isArray(item) && item.every(isToken))
  return isLists ? { texts: [], tokens: list.flat().length, count: list.length } : 'field prompt must hold strings only, or tokens only'
}

function readCompletionsAnswer(body: unknown, { request }: TranslatorInput): ReadAnswer {
  if (isObject(body) && !isAbsent(body['error'])) return { kind: 'failed', failure: decodeUpstreamError(200, body) }
  if (!isObject(body) || !Array.isArray(body['choices']))
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no choices' } }
  const texts = body['choices'].map((choice: unknown) => textAt(choice, 'text') ?? '')
  const usage = usageFromOpenAi(body['usage'])
  const raw_usage = usage === undefined ? undefined : toRawUsage(body['usage'])
  return { kind: 'answer', texts, tool_texts: [], usage, raw_usage, finish: undefined, ...countedAnswers(request, texts.length) }
}

/** `best_of` makes answers that are charged and not delivered. */
function countedAnswers({ n, body }: ModelRequest, answers: number): { readonly answers?: number } {
  return n === 1 || answers === 0 || !isAbsent(body['best_of']) ? {} : { answers }
}
