import type { ApiFormat } from '../../calls/api-format.ts'
import type { TranslatorInput } from '../../calls/operation.ts'
import { secondsOf } from '../../calls/transcript-usage.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { decodeCloudflareError } from './errors.ts'

/** Speech of Workers AI: https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/ (2026-11-24) */
export const cloudflareTranscriptions = speechForm('cloudflare-transcriptions', 'transcribe')
export const cloudflareTranslations = speechForm('cloudflare-translations', 'translate')

type Task = 'transcribe' | 'translate'

function speechForm(format: ApiFormat, task: Task): VendorForm {
  return { format, obstacle, encode: (input, model) => encode(input, model, task), readAnswer, decodeError: decodeCloudflareError }
}

const TEXTS = new Set([undefined, 'json', 'text', 'vtt'])

function obstacle({ response_format, stream }: JsonObject): string | undefined {
  if (stream === 'true') return 'stream'
  return TEXTS.has(typeof response_format === 'string' ? response_format : undefined) ? undefined : 'response_format'
}

const CARRIED = new Set(['model', 'response_format', 'stream', 'language', 'prompt'])

/** The turbo model reads JSON; the others read the bytes of the file and nothing else, and do not translate. */
function encode({ request }: TranslatorInput, model: string, task: Task): { body: JsonObject | Buffer; warnings: readonly string[] } {
  const warnings = new Warnings()
  const file = request.form?.parts.find((part) => part.kind === 'file' && part.name === 'file')
  const bytes = file?.kind === 'file' ? file.bytes : Buffer.alloc(0)
  const [language, prompt] = [textAt(request.body, 'language'), textAt(request.body, 'prompt')]
  const isTurbo = model.includes('turbo') || task === 'translate'
  for (const field of Object.keys(request.body)) if (!CARRIED.has(field)) warnings.add(field)
  if (!isTurbo) {
    if (language !== undefined) warnings.add('language')
    if (prompt !== undefined) warnings.add('prompt')
    return { body: bytes, warnings: warnings.entries }
  }
  const hints = { ...(language === undefined ? {} : { language }), ...(prompt === undefined ? {} : { initial_prompt: prompt }) }
  const body = { audio: bytes.toString('base64'), task, ...hints }
  return { body, warnings: warnings.entries }
}

function readAnswer(answer: unknown, input: TranslatorInput): FormAnswer {
  if (isObject(answer) && answer['success'] === false) return { kind: 'failed', failure: decodeCloudflareError(200, answer) }
  const result = objectAt(answer, 'result')
  const text = textAt(result, 'text')
  if (text === undefined) return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no text' } }
  const usage = secondsOf(input, objectAt(result, 'transcription_info')['duration'])
  const said = { kind: 'answer', usage, raw_usage: undefined } as const
  switch (textAt(input.request.body, 'response_format')) {
    case 'text':
      return { ...said, body: text, content_type: 'text/plain; charset=utf-8' }
    case 'vtt': {
      const vtt = textAt(result, 'vtt')
      if (vtt === undefined) return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no subtitles' } }
      return { ...said, body: vtt, content_type: 'text/vtt; charset=utf-8' }
    }
    default:
      return { ...said, body: { text } }
  }
}
