import type { Media } from '../../prompt-counter.ts'
import type { CacheControl, DocumentPart, ImagePart, Part, TextPart } from '../../request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeUrl } from './data-url.ts'

/** Decodes content, a text or a list of parts. Empty texts are left out. */
export function decodeContent(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap((part) => decodePart(part))
}

/** Decodes the content of a tool result: what is neither text, image nor document is kept as JSON text. */
export function decodeResultContent(content: unknown): (TextPart | ImagePart | DocumentPart)[] {
  return decodeContent(content).map((part) => {
    if (part.kind === 'text' || part.kind === 'image' || part.kind === 'document') return part
    return { kind: 'text', text: JSON.stringify(part.kind === 'vendor-specific' ? part.raw : part) }
  })
}

/**
 * `cache_control` as gateways accept it (https://openrouter.ai/docs/features/prompt-caching), or OpenAI's `prompt_cache_breakpoint`
 * (https://developers.openai.com/api/docs/guides/prompt-caching), whose two lifetimes map to ours.
 */
export function decodeCache(owner: JsonObject): CacheControl | undefined {
  if (isObject(owner['prompt_cache_breakpoint'])) {
    const { ttl } = owner['prompt_cache_breakpoint']
    return ttl === '30m' ? { ttl: '5m' } : ttl === '12h' ? { ttl: '1h' } : {}
  }
  if (!isObject(owner['cache_control'])) return undefined
  const { ttl } = owner['cache_control']
  return ttl === '5m' || ttl === '1h' ? { ttl } : {}
}

function decodePart(part: JsonObject): Part[] {
  const cache = decodeCache(part)
  const type = textAt(part, 'type') ?? ''
  if (type === 'text' || type === 'refusal') {
    const text = textAt(part, type)
    if (text === undefined) return []
    return [type === 'text' ? omitUndefined<TextPart>({ kind: 'text', text, cache }) : { kind: 'refusal', text }]
  }
  const decoded = MEDIA_PARTS.get(type)?.decode(part, cache)
  return [decoded ?? { kind: 'vendor-specific', by: 'openai-chat', type, raw: part }]
}

type MediaPart = { readonly media: Media; readonly decode: (part: JsonObject, cache: CacheControl | undefined) => Part | undefined }

/** Parts that are not text, by type: how each counts in the prompt and how it is decoded. */
export const MEDIA_PARTS: ReadonlyMap<unknown, MediaPart> = new Map<string, MediaPart>([
  ['image_url', { media: 'image', decode: (part, cache) => decodeImage(part, cache) }],
  // Anthropic's type, which some clients send to vendors that accept it.
  ['image', { media: 'image', decode: () => undefined }],
  ['input_audio', { media: 'audio', decode: (part, cache) => decodeAudio(objectAt(part, 'input_audio'), cache) }],
  ['file', { media: 'file', decode: (part, cache) => decodeFile(objectAt(part, 'file'), cache) }],
  ['video_url', { media: 'file', decode: (part) => decodeVideo(part) }],
])

function decodeVideo(part: JsonObject): Part | undefined {
  const url = urlAt(part, 'video_url')
  return url === undefined ? undefined : { kind: 'video', source: decodeUrl(url) }
}

const DETAILS = ['low', 'high', 'auto', 'original'] as const

/** Also used for `images` of an assistant message: https://openrouter.ai/docs/features/multimodal/image-generation */
export function decodeImage(part: JsonObject, cache: CacheControl | undefined): ImagePart | undefined {
  const url = urlAt(part, 'image_url')
  if (url === undefined) return undefined
  const stated = objectAt(part, 'image_url')['detail']
  const detail = DETAILS.find((known) => known === stated)
  return omitUndefined<ImagePart>({ kind: 'image', source: decodeUrl(url), detail, cache })
}

/** Some vendors accept a plain URL instead of the object (Mistral). */
function urlAt(part: JsonObject, key: string): string | undefined {
  return textAt(objectAt(part, key), 'url') ?? textAt(part, key)
}

function decodeAudio(audio: JsonObject, cache: CacheControl | undefined): Part | undefined {
  const data = textAt(audio, 'data')
  if (data === undefined) return undefined
  const format = textAt(audio, 'format') ?? 'wav'
  const media_type = format === 'mp3' ? 'audio/mpeg' : `audio/${format}`
  const source = data.startsWith('data:') ? decodeUrl(data) : ({ kind: 'base64', media_type, data } as const)
  return omitUndefined<Part & { kind: 'audio' }>({ kind: 'audio', source, cache })
}

function decodeFile(file: JsonObject, cache: CacheControl | undefined): Part | undefined {
  const name = textAt(file, 'filename')
  const id = textAt(file, 'file_id')
  const data = textAt(file, 'file_data')
  if (id !== undefined) {
    return omitUndefined<DocumentPart>({ kind: 'document', source: { kind: 'file', id, by: 'openai-chat' }, name, cache })
  }
  if (data === undefined) return undefined
  const isAddress = /^(?:data:|https?:)/i.test(data.slice(0, 6))
  const source = isAddress ? decodeUrl(data) : ({ kind: 'base64', media_type: mediaTypeOf(name), data } as const)
  // LlamaIndex for Node sends pictures so.
  if (source.kind === 'base64' && source.media_type.startsWith('image/')) return omitUndefined<ImagePart>({ kind: 'image', source, cache })
  return omitUndefined<DocumentPart>({ kind: 'document', source, name, cache })
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
}

/** The media type of a file whose data does not state it. */
function mediaTypeOf(name: string | undefined): string {
  return MEDIA_TYPES[name?.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/pdf'
}
