import type { Media } from '../../prompt-counter.ts'
import type { DocumentPart, ImagePart, MediaSource, Part, TextPart } from '../../request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeUrl } from '../openai-chat/data-url.ts'
import { decodeCache } from '../openai-chat/decode-parts.ts'

/** Decodes content of a message item, a text or a list of parts. Empty texts are left out. */
export function decodeContent(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject).flatMap(decodePart) : []
}

/** Decodes the output of a tool: what is neither text, image nor document is kept as JSON text. */
export function decodeOutput(output: unknown): (TextPart | ImagePart | DocumentPart)[] {
  return decodeContent(output).map((part) => {
    if (part.kind === 'text' || part.kind === 'image' || part.kind === 'document') return part
    return { kind: 'text', text: JSON.stringify(part.kind === 'vendor-specific' ? part.raw : part) }
  })
}

const TEXTS = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text'])

function decodePart(part: JsonObject): Part[] {
  const type = textAt(part, 'type') ?? ''
  const cache = decodeCache(part)
  if (TEXTS.has(type)) {
    const text = textAt(part, 'text')
    return text === undefined ? [] : [omitUndefined<TextPart>({ kind: 'text', text, cache })]
  }
  if (type === 'refusal') return [{ kind: 'refusal', text: textAt(part, 'refusal') ?? '' }]
  const media = MEDIA_PARTS.get(type)?.decode?.(part)
  if (media !== undefined) return media
  const audio = objectAt(part, 'input_audio')
  const data = textAt(audio, 'data')
  if (data === undefined) return [{ kind: 'vendor-specific', by: 'openai-responses', type, raw: part }]
  const format = textAt(audio, 'format') ?? 'wav'
  return [{ kind: 'audio', source: { kind: 'base64', media_type: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, data } }]
}

type MediaPart = { readonly media: Media; readonly decode?: (part: JsonObject) => Part[] }

/** Parts that are not text, by type: how each counts in the prompt and how it is decoded. */
export const MEDIA_PARTS: ReadonlyMap<unknown, MediaPart> = new Map<string, MediaPart>([
  ['input_image', { media: 'image', decode: (part) => decodeImage(part) }],
  ['computer_screenshot', { media: 'image' }],
  ['input_audio', { media: 'audio' }],
  ['input_file', { media: 'file', decode: (part) => decodeFile(part) }],
])

const DETAILS = ['low', 'high', 'auto', 'original'] as const

function decodeImage(part: JsonObject): ImagePart[] {
  const url = textAt(part, 'image_url') ?? textAt(objectAt(part, 'image_url'), 'url')
  const source = url === undefined ? fileOf(part) : decodeUrl(url)
  const detail = DETAILS.find((known) => known === part['detail'])
  return source === undefined ? [] : [omitUndefined<ImagePart>({ kind: 'image', source, detail, cache: decodeCache(part) })]
}

function decodeFile(part: JsonObject): DocumentPart[] {
  const name = textAt(part, 'filename')
  const url = textAt(part, 'file_url')
  const data = textAt(part, 'file_data')
  const source = url !== undefined ? decodeUrl(url) : data === undefined ? fileOf(part) : dataOf(data)
  return source === undefined ? [] : [omitUndefined<DocumentPart>({ kind: 'document', source, name, cache: decodeCache(part) })]
}

function dataOf(data: string): MediaSource {
  return data.startsWith('data:') ? decodeUrl(data) : { kind: 'base64', media_type: 'application/pdf', data }
}

function fileOf(part: JsonObject): MediaSource | undefined {
  const id = textAt(part, 'file_id')
  return id === undefined ? undefined : { kind: 'file', id, by: 'openai-responses' }
}
