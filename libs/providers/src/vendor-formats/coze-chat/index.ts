import type { EventReader } from '../../chat/event-decoder.ts'
import type { VendorCodec } from '../../chat/codec.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { ChatRequest, Message } from '../../chat/request.ts'
import { objectAt, textAt, type JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { createEventDecoder } from '../../chat/event-decoder.ts'
import { carriesLinkedImages, decodeFlatError, linkedImages, noteUncarried, textOf, usageEvent, WITH_IMAGES } from '../text-only.ts'

/**
 * Coze's chats with a bot. They are always streamed: without a stream the answer would have to be polled, and a conversation that is not
 * kept must be streamed. https://github.com/coze-dev/coze-js
 */
export const cozeChat: VendorCodec = {
  name: 'coze-chat',
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

/** The vendor's patch adds the bot. */
function encodeChat(request: ChatRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  noteUncarried(request, [], warnings)
  const body = {
    user_id: request.user ?? 'tollgate',
    additional_messages: request.messages.map((message) => encodeMessage(message, warnings)),
    stream: true,
    auto_save_history: false,
  }
  return { body, warnings: warnings.entries }
}

function encodeMessage({ role, parts }: Message, warnings: Warnings): JsonObject {
  if (role === 'system' || role === 'developer') warnings.add('system: sent as the user’s')
  const text = textOf(parts, warnings, WITH_IMAGES)
  const images = linkedImages(parts).map((file_url) => ({ type: 'image', file_url }))
  const speaker = role === 'assistant' ? { role, type: 'answer' } : { role: 'user', type: 'question' }
  if (images.length === 0) return { ...speaker, content_type: 'text', content: text }
  return { ...speaker, content_type: 'object_string', content: JSON.stringify([{ type: 'text', text }, ...images]) }
}

class Reader implements EventReader {
  isDone = false

  read(data: JsonObject, name: string | undefined): readonly ModelEvent[] {
    switch (name) {
      case 'conversation.chat.created': {
        const id = textAt(data, 'id')
        return [{ kind: 'start', ...(id === undefined ? {} : { id }) }]
      }
      case 'conversation.message.delta':
        return data['type'] === 'answer' ? pieces(data) : []
      case 'conversation.chat.completed':
        this.isDone = true
        return [{ kind: 'finish', finish: 'stop' }, ...usageEvent(objectAt(data, 'usage'), ['input_count', 'output_count'])]
      case 'conversation.chat.requires_action':
        this.isDone = true
        return [{ kind: 'finish', finish: 'other' }]
      case 'conversation.chat.failed':
        return [{ kind: 'failed', failure: decodeError(200, objectAt(data, 'last_error')) }]
      case 'error':
        return [{ kind: 'failed', failure: decodeError(200, data) }]
      default:
        return []
    }
  }
}

function pieces(data: JsonObject): ModelEvent[] {
  const reasoning = textAt(data, 'reasoning_content')
  const text = textAt(data, 'content')
  return [
    ...(reasoning === undefined ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
  ]
}

/** A document is an error: answers are streamed. */
function decodeAnswer(body: unknown): ModelEvent[] {
  const hasMessage = textAt(body, 'msg') !== undefined
  if (hasMessage) return [{ kind: 'failed', failure: decodeError(200, body) }]
  return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer is no stream' } }]
}

/** https://www.coze.cn/open/docs/developer_guides/coze_error_codes */
const STATUSES = { 4000: 400, 4009: 402, 4011: 402, 4013: 429, 4019: 402, 4020: 429, 4027: 402, 4028: 402, 4100: 401, 4101: 403, 4200: 404 }

function decodeError(status: number, body: unknown) {
  return decodeFlatError(status, body, { code: 'code', message: 'msg', statuses: STATUSES })
}
