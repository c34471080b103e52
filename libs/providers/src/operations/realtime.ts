import { textOf } from '@tollgate/contracts/app-error'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { ModelRequest } from '../chat/model-request.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { countAt, isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '../json.ts'
import { promptClasses } from '../prompt-classes.ts'
import type { Operation } from '../calls/operation.ts'
import { findCaseVariant, hasRepeatedKey } from '../unambiguous-json.ts'
import { isPricedByDuration, usageIn } from './transcriptions.ts'
import { invalid, nonChatRequest, readModel } from '../calls/non-chat.ts'

/**
 * GET /v1/realtime over a WebSocket: https://platform.openai.com/docs/guides/realtime-websocket. A session has no request or response
 * body, so only the operation's route, model check and format selection are used.
 */
export const realtime: Operation = {
  name: 'realtime',
  body: 'json',
  readRequest: (_, route) => {
    const model = readModel({}, route.model)
    return typeof model === 'string'
      ? { kind: 'ok', request: realtimeRequest(model, 0) }
      : invalid('model.missing', textOf('model.missing', 'en'))
  },
  formatFor: (formats) => (formats.includes('openai-realtime') ? 'openai-realtime' : undefined),
  createTranslator: (format) => ({
    format,
    isSameFormat: true,
    media: () => [],
    encode: () => ({ body: Buffer.alloc(0), content_type: 'application/json', warnings: [] }),
    streamType: () => undefined,
    openStream: () => {
      throw new Error('a realtime session has no response stream')
    },
    readWhole: () => ({ kind: 'failed', failure: { kind: 'malformed', message: 'a session has no whole answer' } }),
    decodeError: decodeUpstreamError,
  }),
}

/** Tokens of one minute of speech: https://platform.openai.com/docs/guides/realtime-costs */
const SPOKEN_MINUTE = 600
/** Earlier turns are read from the vendor's cache, at an eighth of the price at most. */
export const CACHED_SHARE = 8

/** The request that estimates the cost of one response; `context` is the token count of the previous one. */
export function realtimeRequest(model: string, context: number): ModelRequest {
  return nonChatRequest(
    {},
    {
      model,
      is_stream: true,
      max_tokens: undefined,
      extra_tokens: SPOKEN_MINUTE + Math.ceil(context / CACHED_SHARE),
      classes: { audio: true, images: true, cache_write: false },
    },
  )
}

/** A vendor event as far as billing depends on it. */
export type ServerEvent =
  | { readonly kind: 'created'; readonly response_id: string }
  | {
      readonly kind: 'done'
      readonly response_id: string
      readonly usage: Usage | undefined
      readonly raw: unknown
      /** Undefined if the response succeeded. */
      readonly failure: { readonly code: string; readonly type: string; readonly message: string } | undefined
    }
  | { readonly kind: 'delta'; readonly response_id: string; readonly text: string; readonly audio_bytes: number }
  | {
      readonly kind: 'session'
      /** The vendor's first event. */
      readonly is_new: boolean
      /** Bytes per second of the vendor's audio. */
      readonly bytes_per_second: number
      /** The same of the client's audio. */
      readonly input_bytes_per_second: number
      /** The model that writes down what the client says; undefined: none does. */
      readonly transcription_model: string | undefined
    }
  /** Speech of the client is complete and will be written down, if a model does that. */
  | { readonly kind: 'committed'; readonly item_id: string }
  | {
      readonly kind: 'transcribed'
      readonly item_id: string
      readonly text: string
      /** Undefined: the vendor reported none. */
      readonly usage: Usage | undefined
      readonly raw: unknown
      readonly has_failed: boolean
    }
  | { readonly kind: 'other' }

const OTHER = { kind: 'other' } as const
const BILLED_EVENT =
  /"(?:response\.(?:created|done|(?:output_)?(?:audio|text|audio_transcript)\.delta)|(?:transcription_)?session\.(?:created|updated)|input_audio_buffer\.committed|conversation\.item\.input_audio_transcription\.(?:completed|failed))"/

/** Reads one event of the vendor. Never throws. */
export function readServerEvent(text: string): ServerEvent {
  if (!isBilled(text)) return OTHER
  const event = parseJsonObject(text)
  if (event === undefined) return OTHER
  const response = objectAt(event, 'response')
  const response_id = textAt(event, 'response_id') ?? textAt(response, 'id') ?? ''
  const type = textAt(event, 'type') ?? ''
  if (type === 'response.created') return { kind: 'created', response_id }
  if (type === 'response.done')
    return { kind: 'done', response_id, usage: usageOf(response['usage']), raw: response['usage'], failure: failureOf(response) }
  if (/^(?:transcription_)?session\./.test(type)) return readSession(objectAt(event, 'session'), type.endsWith('created'))
  const item_id = textAt(event, 'item_id') ?? ''
  if (type === 'input_audio_buffer.committed') return { kind: 'committed', item_id }
  if (type.startsWith('conversation.item.input_audio_transcription.')) {
    const usage = usageIn(event['usage'])
    return {
      kind: 'transcribed',
      item_id,
      text: textAt(event, 'transcript') ?? '',
      usage,
      raw: event['usage'],
      has_failed: type.endsWith('failed'),
    }
  }
  const delta = textAt(event, 'delta')
  if (delta === undefined || !type.startsWith('response.')) return OTHER
  const isAudio = /(?:^|[._])audio\.delta$/.test(type)
  return { kind: 'delta', response_id, text: isAudio ? '' : delta, audio_bytes: isAudio ? Math.floor((delta.length * 3) / 4) : 0 }
}

/** Checks the head of an event, because most events are irrelevant for billing and audio events are large. */
function isBilled(text: string): boolean {
  if (text.length <= HEAD) return BILLED_EVENT.test(text)
  return (
    BILLED_EVENT.test(text.slice(0, HEAD)) ||
    text.includes('"response.done"') ||
    text.includes('"response.created"') ||
    text.includes('.input_audio_transcription.completed"')
  )
}

const HEAD = 1024

function readSession(session: JsonObject, is_new: boolean): ServerEvent {
  const transcription = objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'transcription')
  return {
    kind: 'session',
    is_new,
    bytes_per_second: rateOf(session, 'output'),
    input_bytes_per_second: rateOf(session, 'input'),
    transcription_model: textAt(transcription, 'model') ?? textAt(objectAt(session, 'input_audio_transcription'), 'model'),
  }
}

/** Bytes per second: 16 bits at 24 kHz, or 8 bits at 8 kHz for telephony formats. */
function rateOf(session: JsonObject, side: 'input' | 'output'): number {
  const given = objectAt(objectAt(objectAt(session, 'audio'), side), 'format')
  const format = textAt(session, `${side}_audio_format`) ?? textAt(given, 'type') ?? ''
  return /g711|pcmu|pcma/.test(format) ? 8000 : 48_000
}

/** Tokens of the client's speech: https://platform.openai.com/docs/guides/realtime-costs */
export const SPEECH_TOKENS_PER_SECOND = 10

/** Usage of a transcription for which the vendor reported none. */
export function estimateTranscription(
  model: string,
  { seconds, text_out }: { readonly seconds: number; readonly text_out: number },
): Usage {
  if (isPricedByDuration(model)) return { ...ZERO_USAGE, seconds: Math.ceil(seconds), source: 'estimated' }
  const audio_in = Math.ceil(seconds * SPEECH_TOKENS_PER_SECOND)
  return { ...ZERO_USAGE, audio_in, text_out, prompt_tokens: audio_in, completion_tokens: text_out, source: 'estimated' }
}

function failureOf(response: JsonObject): { code: string; type: string; message: string } | undefined {
  if (response['status'] !== 'failed') return undefined
  const error = objectAt(objectAt(response, 'status_details'), 'error')
  const type = textAt(error, 'type') ?? 'server_error'
  return {
    code: textAt(error, 'code') ?? textAt(error, 'type') ?? 'failed',
    type,
    message: textAt(error, 'message') ?? 'the response failed',
  }
}

/**
 * Usage of one response in disjoint classes; the vendor's text, audio and image counts include cached tokens.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
function usageOf(raw: unknown): Usage | undefined {
  const prompt_tokens = countAt(raw, 'input_tokens')
  const completion_tokens = countAt(raw, 'output_tokens')
  if (prompt_tokens === 0 && completion_tokens === 0) return undefined
  const input = objectAt(raw, 'input_token_details')
  const cached = objectAt(input, 'cached_tokens_details')
  const audio_out = Math.min(countAt(objectAt(raw, 'output_token_details'), 'audio_tokens'), completion_tokens)
  return {
    ...promptClasses({
      prompt: prompt_tokens,
      audio: countAt(input, 'audio_tokens'),
      image: countAt(input, 'image_tokens'),
      cached: countAt(input, 'cached_tokens'),
      cached_audio: countAt(cached, 'audio_tokens'),
      cached_image: countAt(cached, 'image_tokens'),
    }),
    text_out: completion_tokens - audio_out,
    audio_out,
    reasoning: 0,
    prompt_tokens,
    completion_tokens,
    source: 'upstream',
  }
}

export type ClientEvent =
  | {
      readonly kind: 'ok'
      readonly text: string
      /** Texts in it. */
      readonly texts: readonly string[]
      /** Bytes of speech in it. */
      readonly audio_bytes: number
      /** Models that it names beside the session's: the one that transcribes the client's speech. */
      readonly models: readonly string[]
      /** Parameters of the response that the event requests; undefined: it requests none. */
      readonly response: JsonObject | undefined
    }
  | { readonly kind: 'unreadable' }

/** A session's model, as the client names it and as the vendor does. */
export type SessionModel = { readonly model: string; readonly upstream_model: string }

/**
 * Reads one client event. A session is priced by one model, so an update that names a model is rewritten to the session's upstream
 * model.
 */
export function readClientEvent(text: string, named: SessionModel): ClientEvent {
  const event = parseJsonObject(text)
  if (event === undefined || hasRepeatedKey(Buffer.from(text), event) || findCaseVariant(event) !== undefined) return { kind: 'unreadable' }
  const { session } = event
  const given = isObject(session) ? withUpstreamModel(session, named) : session
  const sent = given === session ? text : JSON.stringify({ ...event, session: given })
  const audio = event['type'] === 'input_audio_buffer.append' ? (textAt(event, 'audio') ?? '') : ''
  return {
    kind: 'ok',
    text: sent,
    texts: textsOf(event),
    audio_bytes: Math.floor((audio.length * 3) / 4),
    models: transcribersIn(session),
    response: event['type'] === 'response.create' ? objectAt(event, 'response') : undefined,
  }
}

function withUpstreamModel(session: JsonObject, { model, upstream_model }: SessionModel): JsonObject {
  const given = session['model'] === undefined || session['model'] === upstream_model ? session : { ...session, model: upstream_model }
  return model !== upstream_model && transcribersIn(session).includes(model) ? withTranscriber(given, upstream_model) : given
}

function withTranscriber(session: JsonObject, model: string): JsonObject {
  const [audio, older] = [objectAt(session, 'audio'), objectAt(session, 'input_audio_transcription')]
  const input = objectAt(audio, 'input')
  const transcription = objectAt(input, 'transcription')
  return {
    ...session,
    ...(textAt(transcription, 'model') === undefined
      ? {}
      : { audio: { ...audio, input: { ...input, transcription: { ...transcription, model } } } }),
    ...(textAt(older, 'model') === undefined ? {} : { input_audio_transcription: { ...older, model } }),
  }
}

function transcribersIn(session: unknown): string[] {
  if (!isObject(session)) return []
  const named = [objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'transcription'), objectAt(session, 'input_audio_transcription')]
  return named.map((one) => textAt(one, 'model')).filter((model) => model !== undefined)
}

/** The model that the first event of a session names which only transcribes; undefined: it names none. */
export function transcriberOf(text: string): string | undefined {
  return transcribersIn(parseJsonObject(text)?.['session'])[0]
}

/** The model of the session itself, where an event names one. */
export function sessionModelOf(text: string): string | undefined {
  return textAt(objectAt(parseJsonObject(text), 'session'), 'model')
}

function textsOf(event: JsonObject): string[] {
  const content = objectAt(event, 'item')['content']
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const spoken = [objectAt(event, 'session'), objectAt(event, 'response')].map((part) => textAt(part, 'instructions'))
  return [...parts.map((part) => textAt(part, 'text')), ...spoken].filter((text) => text !== undefined)
}
