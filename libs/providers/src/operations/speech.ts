import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import { emptyCounts } from '@tollgate/contracts/character-counts'
import type { DecodedRequest } from '../chat/model-request.ts'
import type { AnswerStream, StreamEnding, StreamFacts } from '../chat/stream.ts'
import { decodeUpstreamError } from '../formats/openai-chat/errors.ts'
import { countAt, isObject } from '../json.ts'
import { createEventUsageReader } from './event-usage-reader.ts'
import type { Operation, TranslatorInput } from './operation.ts'
import { invalid, NO_OBJECT, plainRequest, readModel } from './plain.ts'
import { single } from './single.ts'

/** What a body without a model means: relay-facts 1.1. */
const DEFAULT_MODEL = 'tts-1'

/** POST /v1/audio/speech: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speech: Operation = single({
  name: 'speech',
  format: 'openai-speech',
  accept: '*/*',
  readRequest: readSpeechAsk,
  // Sound never comes as JSON: an error, or nothing that can be played.
  readAnswer: (body) => ({
    kind: 'failed',
    failure:
      isObject(body) && isObject(body['error']) ? decodeUpstreamError(200, body) : { kind: 'malformed', message: 'the answer is no audio' },
  }),
  stream: {
    typeFor: (content_type) => {
      const type = content_type.toLowerCase()
      if (type.includes('json') || type.includes('html')) return undefined
      return content_type === '' ? 'application/octet-stream' : content_type
    },
    open: (input) => (input.request.is_stream ? createSpeechUsageReader(input) : new SoundUsageReader(usageOf(input))),
  },
})

function readSpeechAsk(body: unknown): DecodedRequest {
  if (!isObject(body)) return NO_OBJECT
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
  const isByCharacter = isPricedByCharacter(model)
  return {
    kind: 'ok',
    request: plainRequest(body, {
      model,
      is_stream: stream_format === 'sse',
      texts: [input],
      max_tokens: isByCharacter ? 0 : audioTokensOf(input),
      classes: { audio: !isByCharacter, images: false, cache_write: false },
    }),
  }
}

/** Relay-facts 4.5: every other model counts tokens. */
const isPricedByCharacter = (model: string) => model.startsWith('tts')

/** Slow speech of 12 letters a second, 21 tokens a second: https://platform.openai.com/docs/pricing#transcription-and-speech-generation */
const audioTokensOf = (input: string) => Math.ceil((Buffer.byteLength(input) / 12) * 21)

/** What a call costs that reports nothing: its characters, which are counted exactly, or the prompt's tokens and as much sound as it is long. */
function usageOf({ request, prompt_tokens }: TranslatorInput): Usage {
  if (isPricedByCharacter(request.model)) return { ...ZERO_USAGE, characters: prompt_tokens, source: 'upstream' }
  const audio_out = request.max_tokens ?? 0
  return { ...ZERO_USAGE, text_in: prompt_tokens, audio_out, prompt_tokens, completion_tokens: audio_out, source: 'estimated' }
}

/** The answer as events: https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event */
function createSpeechUsageReader(input: TranslatorInput): AnswerStream {
  const otherwise = usageOf(input)
  return createEventUsageReader({
    count: input.count,
    read: (data) => {
      const isLast = data['type'] === 'speech.audio.done'
      if (!isLast) return { hasContent: data['audio'] !== undefined, usage: { usage: otherwise, raw: null } }
      return { isLast, usage: { usage: reported(data['usage'], otherwise), raw: data['usage'] ?? null } }
    },
  })
}

function reported(raw: unknown, otherwise: Usage): Usage {
  const prompt_tokens = countAt(raw, 'input_tokens')
  const audio_out = countAt(raw, 'output_tokens')
  if (otherwise.characters !== undefined || (prompt_tokens === 0 && audio_out === 0)) return otherwise
  return { ...otherwise, text_in: prompt_tokens, audio_out, prompt_tokens, completion_tokens: audio_out, source: 'upstream' }
}

const NOTHING = Buffer.alloc(0)

/** Sound as it comes. It has no end marker: that the connection ends well says that it is complete. */
class SoundUsageReader implements AnswerStream {
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
