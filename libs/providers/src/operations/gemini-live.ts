import { textOf } from '@tollgate/contracts/app-error'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { invalid, nonChatRequest, readModel } from '../calls/non-chat.ts'
import type { Operation } from '../calls/operation.ts'
import type { ModelRequest } from '../chat/model-request.ts'
import { decodeGeminiError, statusNameOf } from '../chat/formats/gemini/errors.ts'
import { fieldAt, isTwice, listField, numberField, objectField, textField } from '../chat/formats/gemini/fields.ts'
import { promptOf } from '../chat/formats/gemini/prompt.ts'
import { searchesIn, usageFromGemini } from '../chat/formats/gemini/usage.ts'
import { unpricedIn } from '../chat/unpriced-fields.ts'
import { isObject, parseJsonObject, textAt, type JsonObject } from '../json.ts'
import { findCaseVariant, hasRepeatedKey } from '../unambiguous-json.ts'

/**
 * Google's Live API over a WebSocket: https://ai.google.dev/api/live. A session has no request or response body, so only the operation's
 * name, model check and format selection are used. Fields may be in camel or in snake case; google-genai for Python sends both.
 */
export const geminiLive: Operation = {
  name: 'live',
  body: 'json',
  readRequest: (body, route) => {
    const model = readModel({}, route.model?.replace(/^models\//, ''))
    if (typeof model !== 'string') return invalid('model.missing', textOf('model.missing', 'en'))
    return { kind: 'ok', request: liveRequest(model, { setup: isObject(body) ? body : {}, context: 0 }) }
  },
  formatFor: (formats) => (formats.includes('gemini-live') ? 'gemini-live' : undefined),
  createTranslator: (format, { request }) => ({
    format,
    isSameFormat: true,
    media: () => [],
    encode: () => ({ body: Buffer.alloc(0), content_type: 'application/json', warnings: unpricedIn(request.body) }),
    streamType: () => undefined,
    openStream: () => {
      throw new Error('a live session has no response stream')
    },
    readWhole: () => ({ kind: 'failed', failure: { kind: 'malformed', message: 'a session has no whole answer' } }),
    decodeError: decodeGeminiError,
  }),
}

/** Tokens of a second of sound, of both sides: https://ai.google.dev/gemini-api/docs/live-guide (read 2026-11-28) */
export const LIVE_AUDIO_TOKENS_PER_SECOND = 25
/** Bytes per second of the vendor's sound: 16 bits at 24 kHz. */
export const LIVE_OUTPUT_BYTES_PER_SECOND = 48_000
const SPOKEN_MINUTE = LIVE_AUDIO_TOKENS_PER_SECOND * 60
/** One frame of a video, of which the vendor takes one a second: https://ai.google.dev/gemini-api/docs/media-resolution */
const FRAME_TOKENS = 258

type Turn = {
  /** The session's first message, without its envelope. */
  readonly setup: JsonObject
  /** Tokens of the turns before, which each turn is charged for again. */
  readonly context: number
}

/** The request that estimates the cost of one turn. */
export function liveRequest(model: string, { setup, context }: Turn): ModelRequest {
  const { texts, tool_texts, extra_tokens, priced } = promptOf(setup, model)
  return nonChatRequest(setup, {
    model,
    is_stream: true,
    max_tokens: numberField(objectField(setup, 'generationConfig'), 'maxOutputTokens'),
    // The session's first content is part of the turns before.
    ...(context > 0 ? {} : { texts, tool_texts }),
    extra_tokens: SPOKEN_MINUTE + (context > 0 ? context : extra_tokens),
    classes: { audio: true, images: true, cache_write: false },
    ...(priced === undefined ? {} : { priced }),
  })
}

export type LiveClientMessage =
  | {
      readonly kind: 'ok'
      /** The first message of a session, without its envelope; undefined: another message. */
      readonly setup: JsonObject | undefined
      readonly texts: readonly string[]
      /** Seconds of speech in it. */
      readonly audio_seconds: number
      /** Tokens of its pictures. */
      readonly image_tokens: number
    }
  | { readonly kind: 'unreadable' }

/** Reads one message of the client. Never throws. */
export function readLiveClientMessage(text: string): LiveClientMessage {
  const message = parseJsonObject(text)
  if (message === undefined || hasRepeatedKey(Buffer.from(text), message)) return { kind: 'unreadable' }
  const given = message['setup']
  const setup = isObject(given) ? given : undefined
  // A vendor may read the other one of a field under two names.
  if (setup !== undefined && (findCaseVariant(setup) !== undefined || isTwice(setup, 'sessionResumption'))) return { kind: 'unreadable' }
  const content = objectField(message, 'clientContent')
  const input = objectField(message, 'realtimeInput')
  const turns = listField(content, 'turns')
  const parts = [...turns, ...(setup === undefined ? [] : [fieldAt(setup, 'systemInstruction')])].flatMap((one) => listField(one, 'parts'))
  const blobs = [
    ...parts.map((part) => objectField(part, 'inlineData')),
    ...['audio', 'video'].map((name) => objectField(input, name)),
    ...listField(input, 'mediaChunks'),
  ]
  const results = listField(objectField(message, 'toolResponse'), 'functionResponses')
  return {
    kind: 'ok',
    setup,
    texts: [
      ...[...parts, input].map((part) => textAt(part, 'text')).filter((one) => one !== undefined),
      ...results.map((result) => JSON.stringify(fieldAt(result, 'response') ?? null)),
    ],
    audio_seconds: blobs.reduce<number>((sum, blob) => sum + secondsIn(blob), 0),
    image_tokens: blobs.filter((blob) => /^(?:image|video)\//.test(textField(blob, 'mimeType') ?? '')).length * FRAME_TOKENS,
  }
}

/** 16 bits at the rate that the type names, 16 kHz where it names none. */
function secondsIn(blob: unknown): number {
  const type = textField(blob, 'mimeType') ?? ''
  if (!type.startsWith('audio/')) return 0
  const rate = Number(/rate=(\d{4,6})/.exec(type)?.[1] ?? 16_000)
  return Math.floor(((textAt(blob, 'data') ?? '').replace(/=+$/, '').length * 3) / 4) / 2 / rate
}

/** The first message with another model; all else as the client sent it. */
export function encodeSetup(setup: JsonObject, model: string): string {
  return JSON.stringify({ setup: { ...setup, model: `models/${model}` } })
}

/** The name of the session that a first message resumes; undefined: it begins one. */
export const resumedIn = (setup: JsonObject): string | undefined => {
  const handle = textField(objectField(setup, 'sessionResumption'), 'handle')
  return handle === '' ? undefined : handle
}

/** A first message that resumes a session under another name. */
export function withResumed(setup: JsonObject, handle: string): JsonObject {
  const { session_resumption: _snake, ...rest } = setup
  return { ...rest, sessionResumption: { ...objectField(setup, 'sessionResumption'), handle } }
}

/** A message of the vendor as far as billing depends on it. */
export type LiveServerMessage = {
  /** The vendor takes the session. */
  readonly is_ready: boolean
  /** A part of an answer: words, sound, a call of a function. */
  readonly content: { readonly text: string; readonly audio_bytes: number } | undefined
  /** The turn is complete. */
  readonly ends_turn: boolean
  /** Usage of one turn, its whole context included: https://ai.google.dev/api/live#UsageMetadata */
  readonly usage: Usage | undefined
  readonly raw: JsonObject | undefined
  /** Searches that this part of the answer is based on. */
  readonly searches: number
  /** The name under which the session can be resumed. */
  readonly handle: string | undefined
}

const SILENT: LiveServerMessage = {
  is_ready: false,
  content: undefined,
  ends_turn: false,
  usage: undefined,
  raw: undefined,
  searches: 0,
  handle: undefined,
}

/** Reads one message of the vendor. Never throws. */
export function readLiveServerMessage(text: string, model: string): LiveServerMessage {
  const message = parseJsonObject(text)
  if (message === undefined) return SILENT
  const content = objectField(message, 'serverContent')
  const parts = listField(objectField(content, 'modelTurn'), 'parts')
  const raw = objectField(message, 'usageMetadata')
  const handle = textField(objectField(message, 'sessionResumptionUpdate'), 'newHandle')
  const hasContent = parts.length > 0 || fieldAt(message, 'toolCall') !== undefined
  return {
    is_ready: fieldAt(message, 'setupComplete') !== undefined,
    content: hasContent ? deliveredIn(parts) : undefined,
    ends_turn: fieldAt(content, 'turnComplete') === true,
    usage: usageFromGemini(asAnswerUsage(raw)),
    raw: Object.keys(raw).length === 0 ? undefined : raw,
    searches: searchesIn(content, model),
    handle: handle === '' ? undefined : handle,
  }
}

function deliveredIn(parts: readonly unknown[]): { readonly text: string; readonly audio_bytes: number } {
  const sound = parts.map((part) => textAt(objectField(part, 'inlineData'), 'data') ?? '')
  return {
    text: parts.map((part) => textAt(part, 'text') ?? '').join(''),
    audio_bytes: Math.floor((sound.reduce((sum, data) => sum + data.length, 0) * 3) / 4),
  }
}

/** The counts under the names of an answer; the total of a session leaves thoughts out. */
function asAnswerUsage(raw: JsonObject): JsonObject {
  const { responseTokenCount, responseTokensDetails, totalTokenCount: _total, ...rest } = raw
  return {
    ...rest,
    candidatesTokenCount: responseTokenCount ?? raw['candidatesTokenCount'] ?? 0,
    candidatesTokensDetails: responseTokensDetails ?? raw['candidatesTokensDetails'],
  }
}

/** The vendor's message with our name of the session. */
export function withHandle(text: string, newHandle: string): string {
  const message = parseJsonObject(text) ?? {}
  return JSON.stringify({ ...message, sessionResumptionUpdate: { ...objectField(message, 'sessionResumptionUpdate'), newHandle } })
}

/**
 * Why the vendor closed a session, whose only words are a close code and a reason: seen are 1007 (invalid argument, an invalid key), 1008
 * (an unknown model, a key without permission) and 1011 (quota, internal errors).
 */
export function decodeLiveClose({ code, reason }: { readonly code: number; readonly reason: string }): UpstreamFailure {
  const status = statusOf(code, reason)
  const message = reason === '' ? `the session was closed with code ${code}` : reason
  return decodeGeminiError(status, { error: { code: status, message, status: statusNameOf(status) } })
}

function statusOf(code: number, reason: string): number {
  if (/api[ _]key|unauthenticated|credential/i.test(reason)) return 401
  if (/quota|billing|resource.?exhausted|rate limit/i.test(reason)) return 429
  if (/permission|forbidden/i.test(reason)) return 403
  if (/not found|not supported for bidi/i.test(reason)) return 404
  if (code === 1007 || code === 1008 || code === 1003 || code === 1009) return 400
  return code === 1013 ? 503 : 500
}
