import type { EventReader } from '../../chat/event-decoder.ts'
import type { EncodeContext, VendorCodec } from '../../chat/codec.ts'
import { readEnd, type EndWords } from '../../chat/ends.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { ChatRequest } from '../../chat/request.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { createEventDecoder } from '../../chat/event-decoder.ts'
import { alternating, decodeFlatError, noteUncarried, textOf, usageEvent } from '../text-only.ts'

/** Chats of Qianfan's first API: text in alternating turns. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 */
export const baiduChat: VendorCodec = {
  name: 'baidu-chat',
  vendor: {
    encodeChat,
    carries: () => false,
    createDecoder: () => createEventDecoder(new Reader()),
    decodeAnswer,
    decodeError,
    wantsInlineMedia: false,
    hasNoTools: true,
    hasNoFormats: true,
  },
}

const CARRIED = ['max_tokens', 'temperature', 'top_p', 'frequency_penalty', 'stop']
const MIN_OUTPUT = 2

function encodeChat(request: ChatRequest, { is_stream }: EncodeContext): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  noteUncarried(request, CARRIED, warnings)
  const { max_tokens, temperature, top_p, frequency_penalty, stop, user } = request
  const isInstruction = (role: string) => role === 'system' || role === 'developer'
  const system = request.messages.filter(({ role }) => isInstruction(role)).map(({ parts }) => textOf(parts, warnings))
  const turns = request.messages.filter(({ role }) => !isInstruction(role))
  const body = {
    messages: alternating(turns.map(({ role, parts }) => ({ role, content: textOf(parts, warnings) }))),
    ...(system.length === 0 ? {} : { system: system.join('\n') }),
    ...(temperature === undefined ? {} : { temperature: Math.min(1, Math.max(0.01, temperature)) }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(frequency_penalty === undefined ? {} : { penalty_score: Math.min(2, Math.max(1, frequency_penalty)) }),
    ...(max_tokens === undefined ? {} : { max_output_tokens: Math.max(MIN_OUTPUT, max_tokens) }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(is_stream ? { stream: true } : {}),
  }
  return { body, warnings: warnings.entries }
}

class Reader implements EventReader {
  isDone = false
  #hasBegun = false

  read(data: JsonObject): readonly ModelEvent[] {
    if (data['error_code'] !== undefined) return [{ kind: 'failed', failure: decodeError(200, data) }]
    const begun = this.#hasBegun ? [] : [startOf(data)]
    this.#hasBegun = true
    this.isDone = data['is_end'] === true
    return [...begun, ...textOfAnswer(data), ...(this.isDone ? endOf(data) : [])]
  }
}

function decodeAnswer(body: unknown): ModelEvent[] {
  if (isObject(body) && body['error_code'] !== undefined) return [{ kind: 'failed', failure: decodeError(200, body) }]
  if (!isObject(body) || typeof body['result'] !== 'string')
    return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no result' } }]
  return [startOf(body), ...textOfAnswer(body), ...endOf(body)]
}

function startOf(data: JsonObject): ModelEvent {
  const id = textAt(data, 'id')
  return { kind: 'start', ...(id === undefined ? {} : { id }) }
}

function textOfAnswer(data: JsonObject): ModelEvent[] {
  const text = textAt(data, 'result')
  return text === undefined ? [] : [{ kind: 'text', text }]
}

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
const ENDS: EndWords = { normal: 'stop', stop: 'stop', length: 'length', content_filter: 'filter', function_call: 'tools' }

function endOf(data: JsonObject): ModelEvent[] {
  const stated = textAt(data, 'finish_reason') ?? 'normal'
  const end = readEnd(ENDS, data['is_truncated'] === true ? 'length' : stated)
  const usage = usageEvent(objectAt(data, 'usage'), ['prompt_tokens', 'completion_tokens'])
  if (end?.failure !== undefined) return [...usage, { kind: 'failed', failure: end.failure }]
  return [{ kind: 'finish', finish: end?.finish ?? 'stop' }, ...usage]
}

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const STATUSES = {
  2: 503,
  3: 404,
  4: 429,
  6: 403,
  13: 401,
  14: 401,
  15: 401,
  17: 402,
  18: 429,
  19: 402,
  110: 401,
  111: 401,
  336_000: 502,
  336_001: 400,
  336_002: 400,
  336_003: 400,
  336_007: 400,
  336_100: 503,
  336_103: 400,
  336_501: 429,
  336_502: 429,
}

function decodeError(status: number, body: unknown) {
  return decodeFlatError(status, body, { code: 'error_code', message: 'error_msg', statuses: STATUSES })
}
