import { textOf } from '@tollgate/contracts/app-error'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { invalid, nonChatRequest, NOT_AN_OBJECT } from '../calls/non-chat.ts'
import type { Operation, TranslatorInput, WholeRead } from '../calls/operation.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import type { DecodedRequest, RouteFacts } from '../chat/model-request.ts'
import { decodeGeminiError } from '../chat/formats/gemini/errors.ts'
import { fieldAt, textField, withoutFields } from '../chat/formats/gemini/fields.ts'
import { promptOf } from '../chat/formats/gemini/prompt.ts'
import { countAt, isObject, objectAt, parseJson, textAt, type JsonObject } from '../json.ts'

/**
 * The tool under which the storage of a cached prompt is priced: a call is a thousand tokens for an hour, so its price for a thousand calls
 * is that of a million tokens for an hour. https://ai.google.dev/gemini-api/docs/pricing
 */
export const CACHE_STORAGE = 'cache_storage'

const HOUR_S = 3600
/** Google has no limit; this one bounds what a single call can cost. */
const MAX_TTL_S = 7 * 24 * HOUR_S

/**
 * POST /v1beta/cachedContents: a prompt that Google keeps for later requests. Its tokens cost what a prompt costs, and their storage is
 * paid for the whole time that was asked for, also when it is deleted earlier: https://ai.google.dev/api/caching
 */
export const geminiCaches: Operation = {
  name: 'cached-contents',
  body: 'json',
  isOrder: true,
  pricedBy: CACHE_STORAGE,
  keeps: 'cache',
  readRequest,
  formatFor: (formats) => (formats.includes('gemini-caches') ? 'gemini-caches' : undefined),
  createTranslator: (format, input) => ({
    format,
    isSameFormat: true,
    media: () => [],
    encode: ({ upstream_model, param_override, patch }) => {
      const body = { ...input.request.body, model: `models/${upstream_model}` }
      return {
        body: Buffer.from(JSON.stringify({ ...(patch?.(body) ?? body), ...param_override })),
        content_type: 'application/json',
        warnings: [],
      }
    },
    streamType: () => undefined,
    openStream: () => {
      throw new Error('a cached prompt has no stream')
    },
    readWhole: (bytes) => readWhole(bytes, input),
    decodeError: decodeGeminiError,
  }),
}

function readRequest(body: unknown, { now = 0 }: RouteFacts): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = textField(body, 'model')?.replace(/^models\//, '') ?? ''
  if (model === '') return invalid('model.missing', textOf('model.missing', 'en'))
  const seconds = secondsOf(body, now)
  if (seconds === undefined)
    return invalid('request.field', `ttl must be a duration such as 3600s, and expireTime a time, of at most ${MAX_TTL_S} seconds`)
  const { priced: _tools, ...facts } = promptOf(body, model)
  // More than the tokens of any text.
  const most = facts.texts.reduce((sum, text) => sum + text.length, facts.extra_tokens)
  const tools = [{ name: CACHE_STORAGE, max_calls: storageOf(most, seconds) }]
  return { kind: 'ok', request: nonChatRequest(body, { model, ...facts, priced: { tools } }) }
}

/** How long the prompt shall be kept, in seconds; undefined: that cannot be read, or is too long. */
export function secondsOf(body: JsonObject, now: number): number | undefined {
  const [ttl, end] = ['ttl', 'expireTime'].map((name) => textField(body, name))
  if (ttl === undefined && end === undefined) return fieldAt(body, 'ttl') === undefined ? HOUR_S : undefined
  const seconds = ttl === undefined ? (Date.parse(end ?? '') - now) / 1000 : Number(/^(\d+(?:\.\d+)?)s$/.exec(ttl)?.[1] ?? Number.NaN)
  return seconds > 0 && seconds <= MAX_TTL_S ? seconds : undefined
}

/** The calls of `CACHE_STORAGE` for so many tokens. */
export const storageOf = (tokens: number, seconds: number): number => Math.ceil((tokens * Math.round(seconds)) / HOUR_S / 1000)

function readWhole(bytes: Buffer, { request }: TranslatorInput): WholeRead {
  const body = parseJson(bytes.toString())
  const [name, start, end] = ['name', 'createTime', 'expireTime'].map((field) => textAt(body, field) ?? '')
  if (!isObject(body) || name === undefined || !name.startsWith('cachedContents/'))
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer names no cached content' } }
  const counts = objectAt(body, 'usageMetadata')
  const tokens = countAt(counts, 'totalTokenCount')
  const seconds = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 1000
  const answer = { ...withoutFields(body, ['contents', 'systemInstruction', 'tools', 'toolConfig']), model: `models/${request.model}` }
  const calls = storageOf(tokens, Number.isNaN(seconds) ? MAX_TTL_S : seconds)
  return {
    kind: 'answer',
    bytes: Buffer.from(JSON.stringify(answer)),
    content_type: 'application/json',
    texts: [],
    tool_texts: [],
    warnings: [],
    usage: { ...ZERO_USAGE, text_in: tokens, prompt_tokens: tokens, tool_calls: { [CACHE_STORAGE]: calls }, source: 'upstream' },
    raw_usage: toRawUsage(counts),
    finish: undefined,
    answer,
  }
}
