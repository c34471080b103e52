import type { EventReader } from '../../chat/event-decoder.ts'
import type { EncodeContext, VendorCodec } from '../../chat/codec.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { ChatRequest } from '../../chat/request.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { createEventDecoder } from '../../chat/event-decoder.ts'
import { asOneText, carriesLinkedImages, decodeFlatError, linkedImages, noteUncarried, usageEvent, WITH_IMAGES } from '../text-only.ts'

/**
 * The chat messages of Dify's apps: one text, to which the app adds its own prompt.
 * https://docs.dify.ai/en/api-reference/guides/agent
 */
export const difyChat: VendorCodec = {
  name: 'dify-chat',
  vendor: {
    encodeChat,
    carries: carriesLinkedImages,
    createDecoder: () => createEventDecoder(new Reader()),
    decodeAnswer,
    decodeError,
    wantsInlineMedia: false,
    hasNoTools: true,
    hasNoFormats: true,
  },
}

function encodeChat(request: ChatRequest, { is_stream }: EncodeContext): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  noteUncarried(request, [], warnings)
  const files = request.messages.flatMap(({ parts }) =>
    linkedImages(parts).map((url) => ({ type: 'image', transfer_method: 'remote_url', url })),
  )
  const body = {
    inputs: {},
    query: asOneText(request.messages, warnings, WITH_IMAGES),
    response_mode: is_stream ? 'streaming' : 'blocking',
    user: request.user ?? 'tollgate',
    auto_generate_name: false,
    files,
  }
  return { body, warnings: warnings.entries }
}

class Reader implements EventReader {
  isDone = false
  #hasBegun = false
  #hasDeltas = false

  read(data: JsonObject): readonly ModelEvent[] {
    switch (data['event']) {
      case 'agent_message':
        this.#hasDeltas = true
        return [...this.#begin(data), ...text(data)]
      case 'message':
        // An agent repeats its whole answer at the end.
        return this.#hasDeltas ? [] : [...this.#begin(data), ...text(data)]
      case 'message_end':
        this.isDone = true
        return [...this.#begin(data), { kind: 'finish', finish: 'stop' }, ...usageOf(data)]
      case 'error':
        return [{ kind: 'failed', failure: decodeError(statusOf(data), data) }]
      default:
        return []
    }
  }

  #begin(data: JsonObject): ModelEvent[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return [startOf(data)]
  }
}

function decodeAnswer(body: unknown): ModelEvent[] {
  if (isObject(body) && typeof body['answer'] === 'string')
    return [startOf(body), ...text(body), { kind: 'finish', finish: 'stop' }, ...usageOf(body)]
  if (textAt(body, 'code') !== undefined) return [{ kind: 'failed', failure: decodeError(isObject(body) ? statusOf(body) : 200, body) }]
  return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no text' } }]
}

const startOf = (data: JsonObject): ModelEvent => {
  const id = textAt(data, 'message_id')
  return { kind: 'start', ...(id === undefined ? {} : { id }) }
}
const text = (data: JsonObject): ModelEvent[] => {
  const answer = textAt(data, 'answer')
  return answer === undefined ? [] : [{ kind: 'text', text: answer }]
}
const usageOf = (data: JsonObject) => usageEvent(objectAt(objectAt(data, 'metadata'), 'usage'), ['prompt_tokens', 'completion_tokens'])

function statusOf({ status }: JsonObject): number {
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : 502
}

/** Dify answers 400 for what its own model vendor refused. */
const STATUSES = { provider_quota_exceeded: 402, provider_not_initialize: 401, model_currently_not_support: 404, rate_limit_error: 429 }

function decodeError(status: number, body: unknown) {
  return decodeFlatError(status, body, { code: 'code', message: 'message', statuses: STATUSES })
}
