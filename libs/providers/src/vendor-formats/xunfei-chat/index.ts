import type { EncodeContext, VendorCodec } from '../../chat/codec.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { ChatRequest } from '../../chat/request.ts'
import { isObject, listAt, objectAt, parseJson, textAt, type JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { createEventDecoder, type EventReader } from '../../chat/event-decoder.ts'
import { alternating, decodeFlatError, noteUncarried, textOf, usageEvent } from '../text-only.ts'

/** Spark's WebSocket API, one event per message. https://www.xfyun.cn/doc/spark/Web.html (2026-11-24) */
export const xunfeiChat: VendorCodec = {
  name: 'xunfei-chat',
  vendor: {
    encodeChat,
    carries: () => false,
    createDecoder: () => createEventDecoder(new Reader()),
    decodeAnswer,
    decodeError: (status, body) => {
      const parsed = typeof body === 'string' ? parseJson(body) : body
      return isObject(objectAt(parsed, 'header')) && hasFailed(parsed) ? failureIn(parsed) : decodeFlatError(status, body, FLAT)
    },
    wantsInlineMedia: false,
    hasNoTools: true,
    hasNoFormats: true,
  },
}

const CARRIED = ['max_tokens', 'temperature', 'top_k']
const TEMPERATURE = { min: 0.01, max: 1 }
const TOP_K = { min: 1, max: 6 }
const MAX_USER = 32

const clamp = (value: number, { min, max }: { readonly min: number; readonly max: number }) => Math.min(max, Math.max(min, value))

function encodeChat(request: ChatRequest, { upstream_model }: EncodeContext): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  noteUncarried(request, CARRIED, warnings)
  const { max_tokens, temperature, top_k, user } = request
  const text = request.messages.map(({ role, parts }) => ({
    role: role === 'developer' ? 'system' : role,
    content: textOf(parts, warnings),
  }))
  const chat = {
    domain: upstream_model,
    ...(temperature === undefined ? {} : { temperature: clamp(temperature, TEMPERATURE) }),
    ...(top_k === undefined ? {} : { top_k: clamp(top_k, TOP_K) }),
    ...(max_tokens === undefined ? {} : { max_tokens }),
  }
  const header = user === undefined ? {} : { uid: user.slice(0, MAX_USER) }
  return { body: { header, parameter: { chat }, payload: { message: { text: alternating(text) } } }, warnings: warnings.entries }
}

const LAST = 2

/** The vendor sends nothing after this message. */
export const isLastMessage = (message: JsonObject): boolean =>
  hasFailed(message) || [objectAt(message, 'header'), choicesOf(message)].some(({ status }) => status === LAST)

const hasFailed = (message: unknown): boolean => {
  const { code } = objectAt(message, 'header')
  return code !== undefined && code !== 0
}

const choicesOf = (message: unknown): JsonObject => objectAt(objectAt(message, 'payload'), 'choices')

class Reader implements EventReader {
  isDone = false
  #hasBegun = false

  read(message: JsonObject): readonly ModelEvent[] {
    if (hasFailed(message)) return [{ kind: 'failed', failure: failureIn(message) }]
    const begun = this.#hasBegun ? [] : [startOf(message)]
    this.#hasBegun = true
    this.isDone = isLastMessage(message)
    return [...begun, ...textOfMessage(message), ...(this.isDone ? endOf(message) : [])]
  }
}

/** The vendor always streams; a document is an error. */
function decodeAnswer(body: unknown): ModelEvent[] {
  if (hasFailed(body)) return [{ kind: 'failed', failure: failureIn(body) }]
  return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer is not a stream' } }]
}

function startOf(message: JsonObject): ModelEvent {
  const id = textAt(objectAt(message, 'header'), 'sid')
  return { kind: 'start', ...(id === undefined ? {} : { id }) }
}

function textOfMessage(message: JsonObject): ModelEvent[] {
  return listAt(choicesOf(message), 'text').flatMap((piece): ModelEvent[] => {
    const [reasoning, text] = [textAt(piece, 'reasoning_content') ?? '', textAt(piece, 'content') ?? '']
    return [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ]
  })
}

function endOf(message: JsonObject): ModelEvent[] {
  const usage = objectAt(objectAt(objectAt(message, 'payload'), 'usage'), 'text')
  return [{ kind: 'finish', finish: 'stop' }, ...usageEvent(usage, ['prompt_tokens', 'completion_tokens'])]
}

/** The vendor's own codes as statuses; any other is a 502. */
const STATUSES = {
  10_003: 400,
  10_004: 400,
  10_005: 400,
  10_006: 429,
  10_007: 429,
  10_008: 503,
  10_010: 503,
  10_013: 400,
  10_014: 400,
  10_015: 403,
  10_016: 403,
  10_019: 400,
  10_110: 503,
  10_163: 400,
  10_404: 404,
  10_907: 400,
  11_200: 402,
  11_201: 429,
  11_202: 429,
  11_203: 429,
}
const FLAT = { code: 'code', message: 'message', statuses: STATUSES }

const failureIn = (message: unknown) => decodeFlatError(200, objectAt(message, 'header'), FLAT)
