import type { DocumentPart, ImagePart, Part, TextPart } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { toDataUrl } from '../openai-chat/data-url.ts'
import { encodeCache, type PartContext } from '../openai-chat/encode-parts.ts'

/** Encodes user content; a single plain text is a list of one, as the vendor writes it. */
export function encodeContent(parts: readonly Part[], context: PartContext): JsonObject[] {
  return parts.map((part) => encodePart(part, context)).filter((part) => part !== undefined)
}

/** Encodes tool output: a string if it is a single text. */
export function encodeOutput(parts: readonly (TextPart | ImagePart | DocumentPart)[], context: PartContext): string | JsonObject[] {
  const [only] = parts
  if (only === undefined) return ''
  return parts.length === 1 && only.kind === 'text' && only.cache === undefined ? only.text : encodeContent(parts, context)
}

function encodePart(part: Part, context: PartContext): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text, ...encodeCache(part.cache, context) }
    case 'refusal':
      return { type: 'input_text', text: part.text }
    case 'image':
      return encodeImage(part, context)
    case 'document':
      return encodeDocument(part, context)
    case 'audio':
      return encodeAudio(part, context)
    case 'vendor-specific':
      if (part.by === 'openai-responses') return part.raw
      return warn(context, `part ${part.type}`)
    default:
      return warn(context, part.kind)
  }
}

function encodeImage({ source, detail, cache }: ImagePart, context: PartContext): JsonObject | undefined {
  const mark = encodeCache(cache, context)
  const asked = detail === undefined ? {} : { detail }
  if (source.kind !== 'file') {
    return { type: 'input_image', image_url: source.kind === 'url' ? source.url : toDataUrl(source), ...asked, ...mark }
  }
  return isOurs(source.by) ? { type: 'input_image', file_id: source.id, ...asked, ...mark } : warn(context, 'image by file id')
}

function encodeDocument(
  { source, name, context: about, has_citations, cache }: DocumentPart,
  context: PartContext,
): JsonObject | undefined {
  if (about !== undefined) context.warnings.add('document context')
  if (has_citations === true) context.warnings.add('document citations')
  const mark = encodeCache(cache, context)
  if (source.kind === 'text') return { type: 'input_text', text: name === undefined ? source.text : `${name}\n\n${source.text}`, ...mark }
  const named = name === undefined ? {} : { filename: name }
  if (source.kind === 'url') return { type: 'input_file', ...named, file_url: source.url, ...mark }
  if (source.kind === 'base64') return { type: 'input_file', filename: name ?? 'document.pdf', file_data: toDataUrl(source), ...mark }
  return isOurs(source.by) ? { type: 'input_file', ...named, file_id: source.id, ...mark } : warn(context, 'document by file id')
}

function encodeAudio({ source }: Extract<Part, { kind: 'audio' }>, context: PartContext): JsonObject | undefined {
  if (source.kind !== 'base64') return warn(context, 'audio by address')
  const sub = source.media_type.slice(source.media_type.indexOf('/') + 1)
  return { type: 'input_audio', input_audio: { data: source.data, format: sub === 'mpeg' ? 'mp3' : sub } }
}

/** Files belong to the account, so both of OpenAI's formats can reference them. */
const isOurs = (by: string) => by === 'openai-chat' || by === 'openai-responses'

function warn({ warnings }: PartContext, what: string): undefined {
  warnings.add(what)
  return undefined
}
