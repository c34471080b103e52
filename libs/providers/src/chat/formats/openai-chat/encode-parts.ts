import type { VendorTraits } from '../../codec.ts'
import type { CacheControl, DocumentPart, ImagePart, Part, TextPart } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import type { Warnings } from '../../../warnings.ts'
import { toDataUrl } from './data-url.ts'
import { hasBreakpoints, isOpenAiModel } from './models.ts'

export type PartContext = VendorTraits & { readonly model: string; readonly warnings: Warnings }

/**
 * Encodes parts as the content of a message. A single plain text is a string. OpenAI's own models receive a list; for others texts are
 * joined, because many refuse lists of texts.
 */
export function encodeContent(parts: readonly Part[], context: PartContext, separator = '\n\n'): string | readonly JsonObject[] {
  const encoded = parts.map((part) => encodePart(part, context)).filter((part) => part !== undefined)
  const texts = encoded.flatMap((part) => (part['type'] === 'text' && Object.keys(part).length === 2 ? String(part['text']) : []))
  if (texts.length < encoded.length) return encoded
  return texts.length > 1 && isOpenAiModel(context.model) ? encoded : texts.join(separator)
}

/** Encodes a cache breakpoint for the model's vendor; dropping it changes no meaning, but gives a warning. */
export function encodeCache(cache: CacheControl | undefined, { model, warnings }: PartContext): JsonObject {
  if (cache === undefined) return {}
  const { ttl } = cache
  if (hasBreakpoints(model)) {
    const lifetime = ttl === undefined ? {} : { ttl: ttl === '5m' ? '30m' : '12h' }
    return { prompt_cache_breakpoint: { mode: 'explicit', ...lifetime } }
  }
  // Resellers of Anthropic's models accept its `cache_control`: https://openrouter.ai/docs/features/prompt-caching
  if (/claude/i.test(model)) return { cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) } }
  warnings.add('cache marks')
  return {}
}

/** Encodes a part of a user or system message; `undefined`, with a warning, if the format has no equivalent. */
export function encodePart(part: Part, context: PartContext): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
      return encodeText(part, context)
    case 'refusal':
      return { type: 'text', text: part.text }
    case 'image':
      return encodeImage(part, context)
    case 'document':
      return encodeDocument(part, context)
    case 'audio':
    case 'video':
      return encodeSound(part, context)
    case 'vendor-specific':
      if (part.by === 'openai-chat') return part.raw
      return warn(context, `part ${part.type}`)
    default:
      return warn(context, `${part.kind} outside its message`)
  }
}

export function encodeImage({ source, detail, cache }: ImagePart, context: PartContext): JsonObject | undefined {
  if (source.kind === 'file') return warn(context, 'image by file id')
  const url = source.kind === 'url' ? source.url : toDataUrl(source)
  // `original` is newer than most vendors: https://developers.openai.com/api/docs/guides/images-vision
  const known = detail === 'original' && !isOpenAiModel(context.model) ? 'high' : detail
  const image_url = { url, ...(known === undefined ? {} : { detail: known }) }
  return { type: 'image_url', image_url, ...encodeCache(cache, context) }
}

function encodeText({ text, cache }: TextPart, context: PartContext): JsonObject {
  return { type: 'text', text, ...encodeCache(cache, context) }
}

function encodeDocument(
  { source, name, context: about, has_citations, cache }: DocumentPart,
  context: PartContext,
): JsonObject | undefined {
  if (about !== undefined) context.warnings.add('document context')
  if (has_citations === true) context.warnings.add('document citations')
  const mark = encodeCache(cache, context)
  if (source.kind === 'text') return { type: 'text', text: name === undefined ? source.text : `${name}\n\n${source.text}`, ...mark }
  if (source.kind === 'url') return warn(context, 'document by address')
  if (source.kind === 'file') {
    // Files belong to the account, so both of OpenAI's formats can reference them.
    if (source.by !== 'openai-chat' && source.by !== 'openai-responses') return warn(context, 'document by file id')
    const file = { file_id: source.id, ...(name === undefined ? {} : { filename: name }) }
    return { type: 'file', file, ...mark }
  }
  const filename = name ?? `document.${EXTENSIONS[source.media_type] ?? 'pdf'}`
  return { type: 'file', file: { filename, file_data: toDataUrl(source) }, ...mark }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/json': 'json',
}

type Sound = Extract<Part, { kind: 'audio' | 'video' }>

function encodeSound(part: Sound, context: PartContext): JsonObject | undefined {
  const { kind, source } = part
  if (source.kind === 'file') return warn(context, `${kind} by file id`)
  if (part.kind === 'audio') {
    if (source.kind === 'url') return warn(context, 'audio by address')
    const input_audio = { data: source.data, format: formatOf(source.media_type) }
    return { type: 'input_audio', input_audio, ...encodeCache(part.cache, context) }
  }
  // Not part of OpenAI's format, which refuses it; https://openrouter.ai/docs/features/multimodal/videos
  return { type: 'video_url', video_url: { url: source.kind === 'url' ? source.url : toDataUrl(source) } }
}

const FORMATS: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav', 'vnd.wave': 'wav' }

function formatOf(media_type: string): string {
  const sub = media_type.slice(media_type.indexOf('/') + 1)
  return FORMATS[sub] ?? sub
}

function warn({ warnings }: PartContext, what: string): undefined {
  warnings.add(what)
  return undefined
}
