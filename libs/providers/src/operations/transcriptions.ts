import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { DecodedRequest } from '../chat/model-request.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { countAt, isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '../json.ts'
import { createEventUsageReader } from '../calls/event-usage-reader.ts'
import { formCall, type FormAnswer, type FormCall } from '../calls/form-call.ts'
import { filesOf, type Form } from '../form.ts'
import type { Operation, TranslatorInput } from '../calls/operation.ts'
import { invalid, nonChatRequest, readModel } from '../calls/non-chat.ts'
import { transcriptType } from '../calls/response-type.ts'
import { cloudflareTranscriptions, cloudflareTranslations } from '../vendor-formats/cloudflare/transcripts.ts'
import { secondsOf, wholeSeconds } from '../calls/transcript-usage.ts'
import { withForms } from '../calls/vendor-form.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** The model of a form that names none. */
const DEFAULT_MODEL = 'whisper-1'
const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']

const common = { measures: 'audio', readRequest: readAudioRequest, readAnswer: readTranscript } as const satisfies Partial<FormCall>

/** POST /v1/audio/transcriptions: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptions: Operation = withForms(
  formCall({
    ...common,
    name: 'transcriptions',
    format: 'openai-transcriptions',
    stream: {
      open: (input) =>
        createEventUsageReader({
          count: input.count,
          read: (data) => {
            const text = textAt(data, 'delta')
            const isLast = data['type'] === 'transcript.text.done'
            const usage = isLast ? { usage: usageIn(data['usage']) ?? secondsOf(input), raw: data['usage'] ?? null } : undefined
            return { isLast, ...(text === undefined ? {} : { text }), ...(usage === undefined ? {} : { usage }) }
          },
        }),
    },
    // https://platform.openai.com/docs/api-reference/audio/transcript-text-done-event
    eventsOf: (bytes, { texts }) => {
      const { logprobs, usage } = parseJsonObject(bytes.toString()) ?? {}
      return [{ type: 'transcript.text.done', text: texts.join(''), ...omitUndefined<JsonObject>({ logprobs, usage }) }]
    },
  }),
  [cloudflareTranscriptions],
)

/** POST /v1/audio/translations: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translations: Operation = withForms(formCall({ ...common, name: 'translations', format: 'openai-translations' }), [
  cloudflareTranslations,
])

function readAudioRequest(form: Form, fields: JsonObject): DecodedRequest {
  const model = readModel(fields, DEFAULT_MODEL)
  if (typeof model !== 'string') return model
  if (filesOf(form, 'file') !== 1) return invalid('request.field', 'file is required')
  const format = textAt(fields, 'response_format')
  if (format !== undefined && !FORMATS.includes(format)) return invalid('request.field', 'field response_format is invalid')
  const { stream, temperature } = fields
  if (stream !== undefined && stream !== 'true' && stream !== 'false') return invalid('request.field', 'field stream must be a boolean')
  if (temperature !== undefined && !Number.isFinite(Number(temperature)))
    return invalid('request.field', 'field temperature must be a number')
  const prompt = textAt(fields, 'prompt')
  // As many as are charged.
  const seconds = Math.ceil(form.audio?.seconds ?? 0)
  return {
    kind: 'ok',
    request: nonChatRequest(fields, {
      model,
      is_stream: stream === 'true',
      texts: prompt === undefined ? [] : [prompt],
      // A minute is charged as 1 000 prompt tokens if the vendor reports no usage.
      extra_tokens: Math.ceil((seconds * 1000) / 60),
      max_tokens: isPricedByDuration(model) ? 0 : Math.ceil(seconds * MAX_TOKENS_PER_SECOND),
      classes: { audio: !isPricedByDuration(model), images: false, cache_write: false },
    }),
  }
}

/** Upper bound of the tokens per second of speech. */
const MAX_TOKENS_PER_SECOND = 8

export const isPricedByDuration = (model: string) => /^whisper/i.test(model)

function readTranscript(bytes: Buffer, content_type: string, input: TranslatorInput): FormAnswer {
  const body = parseJsonObject(bytes.toString())
  if (body === undefined && isPage(bytes, content_type))
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer is a web page' } }
  if (body === undefined && content_type.includes('json'))
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer is not JSON' } }
  const asked = textAt(input.request.body, 'response_format') ?? 'json'
  if (body === undefined || !(content_type.includes('json') || asked.endsWith('json'))) {
    const text = bytes.toString()
    return { ...answerOf([text], withCues(secondsOf(input), text), undefined), content_type: transcriptType(content_type) }
  }
  if (body['error'] !== undefined && body['error'] !== null) return { kind: 'failed', failure: decodeUpstreamError(200, body) }
  if (typeof body['text'] !== 'string') return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no text' } }
  return answerOf([body['text']], usageIn(body['usage']) ?? secondsOf(input, body['duration']), body['usage'])
}

/** A proxy or a wrong address answers with a page. No transcript begins like one. */
function isPage(bytes: Buffer, content_type: string): boolean {
  return content_type.includes('html') || /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(bytes.toString('latin1', 0, 200))
}

function answerOf(texts: readonly string[], usage: Usage, raw: unknown): Extract<FormAnswer, { kind: 'answer' }> {
  return { kind: 'answer', texts, tool_texts: [], usage, raw_usage: isObject(raw) ? toRawUsage(raw) : undefined, finish: undefined }
}

/** The vendor's usage: tokens, or charged seconds. */
export function usageIn(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  if (raw['type'] === 'duration') {
    const seconds = wholeSeconds(raw['seconds'])
    return seconds === undefined ? undefined : { ...ZERO_USAGE, seconds, source: 'upstream' }
  }
  const prompt_tokens = countAt(raw, 'input_tokens')
  const completion_tokens = countAt(raw, 'output_tokens')
  if (prompt_tokens === 0 && completion_tokens === 0) return undefined
  const audio_in = Math.min(countAt(objectAt(raw, 'input_token_details'), 'audio_tokens'), prompt_tokens)
  const counted = { text_in: prompt_tokens - audio_in, audio_in, text_out: completion_tokens }
  return { ...ZERO_USAGE, ...counted, prompt_tokens, completion_tokens, source: 'upstream' }
}

/** The end of a subtitle: https://www.w3.org/TR/webvtt1/#webvtt-timestamp · SubRip writes a comma. */
const CUE_END = /-->\s*(?:(\d{1,3}):)?(\d{2}):(\d{2})[.,]\d{3}/g

/** The audio is at least as long as its subtitles say. */
function withCues(usage: Usage, text: string): Usage {
  const last = [...text.matchAll(CUE_END)].at(-1)
  if (last === undefined) return usage
  const [, hours = '0', minutes = '0', seconds = '0'] = last
  return { ...usage, seconds: Math.max(usage.seconds ?? 0, Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) }
}
