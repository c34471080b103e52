import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import type { DecodedRequest } from '../chat/model-request.ts'
import type { AnswerStream, StreamEnding, StreamFacts } from '../chat/stream.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { countAt, isObject, textAt } from '../json.ts'
import { createEventUsageReader } from '../calls/event-usage-reader.ts'
import type { Operation, TranslatorInput } from '../calls/operation.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, readModel } from '../calls/non-chat.ts'
import { jsonCall } from '../calls/json-call.ts'
import { audioType, isAudio } from '../calls/response-type.ts'
import { asStream } from '../calls/whole-as-stream.ts'

/** The model of a body that names none. */
const DEFAULT_MODEL = 'tts-1'

/** POST /v1/audio/speech: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speech: Operation = jsonCall({
  name: 'speech',
  format: 'openai-speech',
  accept: '*/*',
  readRequest: readSpeechRequest,
  // Audio is never JSON: the body is an error or unreadable.
  readAnswer: (body) => ({
    kind: 'failed',
    failure:
      isObject(body) && isObject(body['error']) ? decodeUpstreamError(200, body) : { kind: 'malformed', message: 'the answer is no audio' },
  }),
  // A vendor that has no events sends the audio itself.
  readBytes: (bytes, content_type, input) => {
    if (!input.request.is_stream || !isAudio(content_type.toLowerCase())) return undefined
    const facts = { texts: [], tool_texts: [], warnings: [], usage: usageOf(input), raw_usage: undefined, finish: 'stop' } as const
    const events = [{ type: 'speech.audio.delta', audio: bytes.toString('base64') }, { type: 'speech.audio.done' }]
    return { kind: 'answer', ...facts, ...asStream(events) }
  },
  stream: {
    typeFor: (content_type, { request }) => {
      const type = content_type.toLowerCase()
      if (type.includes('json') || type.includes('html')) return undefined
      if (!request.is_stream) return audioType(content_type, request.body['response_format'])
      return isAudio(type) ? undefined : 'text/event-stream'
    },
    open: (input) => (input.request.is_stream ? createSpeechUsageReader(input) : new AudioUsageReader(usageOf(input))),
  },
})

function readSpeechRequest(body: unknown): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, DEFAULT_MODEL)
  if (typeof model !== 'string') return model
  const { input, voice, speed, response_format, stream_format } = body
  if (input === undefined || input === null || input === '') return invalid('request.field', 'field input is required')
  if (typeof input !== 'string') return invalid('request.field', 'field input must be a string')
  if (voice !== undefined && voice !== null && typeof voice !== 'string' && !isObject(voice))
    return invalid('request.field', 'field voice must be a string or an object')
  if (speed !== undefined && speed !== null && typeof speed !== 'number') return invalid('request.field', 'field speed must be a number')
  if (response_format !== undefined && response_format !== null && typeof response_format !== 'string')
    return invalid('request.field', 'field response_format must be a string')
  if (stream_format !== undefined && stream_format !== null && stream_format !== 'sse' && stream_format !== 'audio')
    return invalid('request.field', 'field stream_format must be sse or audio')
  return {
    kind: 'ok',
    request: nonChatRequest(body, {
      model,
      is_stream: stream_format === 'sse',
      texts: [input],
      max_tokens: audioTokensOf(input),
      classes: { audio: true, images: false, cache_write: false },
      priced: { speech: { characters: codePointsOf(input) } },
    }),
  }
}

/** Assumes slow speech of 12 bytes per second at 21 tokens per second: https://platform.openai.com/docs/pricing#transcription-and-speech-generation */
const audioTokensOf = (input: string) => Math.ceil((Buffer.byteLength(input) / 12) * 21)

/** The code points of a text. */
function codePointsOf(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return count
}

/** Usage of a call that reports none: its characters, and the prompt's tokens with an estimate of the audio. The quote says which counts. */
function usageOf({ request: { body, priced }, prompt_tokens }: TranslatorInput): Usage {
  const audio_out = audioTokensOf(textAt(body, 'input') ?? '')
  const tokens = { text_in: prompt_tokens, audio_out, prompt_tokens, completion_tokens: audio_out }
  return { ...ZERO_USAGE, ...tokens, characters: priced?.speech?.characters ?? 0, source: 'estimated' }
}

/** The response as events: https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event */
function createSpeechUsageReader(input: TranslatorInput): AnswerStream {
  const fallback = usageOf(input)
  return createEventUsageReader({
    count: input.count,
    read: (data) => {
      const isLast = data['type'] === 'speech.audio.done'
      if (!isLast) return { hasContent: data['audio'] !== undefined, usage: { usage: fallback, raw: null } }
      return { isLast, usage: { usage: reported(data['usage'], fallback), raw: data['usage'] ?? null } }
    },
  })
}

function reported(raw: unknown, fallback: Usage): Usage {
  const prompt_tokens = countAt(raw, 'input_tokens')
  const audio_out = countAt(raw, 'output_tokens')
  if (prompt_tokens === 0 && audio_out === 0) return fallback
  return { ...fallback, text_in: prompt_tokens, audio_out, prompt_tokens, completion_tokens: audio_out, source: 'upstream' }
}

const NOTHING = Buffer.alloc(0)

/** A binary audio stream. It has no end marker: it is complete if the connection ends without an error. */
class AudioUsageReader implements AnswerStream {
  readonly isOpenEnded = true
  readonly isDone = false
  readonly facts: { -readonly [K in keyof StreamFacts]: StreamFacts[K] }

  constructor(usage: Usage) {
    this.facts = {
      delivered: { text: emptyCounts(), reasoning: emptyCounts(), tools: emptyCounts(), tool_calls: 0 },
      usage,
      raw_usage: undefined,
      finish: undefined,
      failure: undefined,
      hasContent: false,
      hasBegun: false,
      unreadable: 0,
    }
  }

  push(chunk: Buffer): Buffer {
    this.facts.hasBegun = true
    this.facts.hasContent = true
    this.facts.finish = 'stop'
    return chunk
  }

  close(): { readonly rest: Buffer; readonly ending: StreamEnding } {
    return { rest: NOTHING, ending: this.facts.hasContent ? 'finished' : 'cut' }
  }

  closing(): Buffer {
    return NOTHING
  }
}
