import { argumentsOf } from '../../call-arguments.ts'
import type { DocumentPart, ImagePart, MediaSource, Part, TextPart, ToolCallPart, ToolResultPart } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { encodeCacheControl } from './cache-control.ts'

const BY = 'anthropic-messages'

/** Encodes the parts of one turn as blocks, in order. What cannot be expressed is added to `warnings`. */
export function encodeParts(parts: readonly Part[], warnings: Set<string>): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const part of parts) {
    const last = blocks.at(-1)
    const isCitations = part.kind === 'vendor-specific' && part.by === BY && part.type === 'citations'
    if (isCitations && last?.['type'] === 'text') blocks[blocks.length - 1] = { ...last, ...part.raw }
    else if (!isCitations) blocks.push(...encodePart(part, warnings))
  }
  return blocks
}

function encodePart(part: Part, warnings: Set<string>): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return textBlock(part, warnings)
    case 'refusal':
      return textBlock({ kind: 'text', text: part.text }, warnings)
    case 'image':
      return imageBlock(part, warnings)
    case 'document':
      return documentBlock(part, warnings)
    case 'tool-call':
      return [callBlock(part, warnings)]
    case 'tool-result':
      return [resultBlock(part, warnings)]
    case 'thinking':
      if (part.by === BY && part.signature !== undefined) return [{ type: 'thinking', thinking: part.text, signature: part.signature }]
      return warn(warnings, 'thinking')
    case 'redacted-thinking':
      return part.by === BY ? [{ type: 'redacted_thinking', data: part.data }] : warn(warnings, 'redacted_thinking')
    case 'vendor-specific':
      return part.by === BY ? [part.raw] : warn(warnings, part.type)
    case 'audio':
      return warn(warnings, 'input_audio')
    case 'video':
      return warn(warnings, 'input_video')
  }
}

function warn(warnings: Set<string>, word: string): JsonObject[] {
  warnings.add(word)
  return []
}

/** The vendor refuses texts of only white space. */
function textBlock(part: TextPart, warnings: Set<string>): JsonObject[] {
  if (part.text === '') return []
  if (part.text.trim() === '') return warn(warnings, 'blank_text')
  return [{ type: 'text', text: part.text, ...encodeCacheControl(part) }]
}

function imageBlock(part: ImagePart, warnings: Set<string>): JsonObject[] {
  if (part.source.kind === 'base64' && part.source.media_type === 'application/pdf') {
    return documentBlock({ kind: 'document', source: part.source, ...(part.cache === undefined ? {} : { cache: part.cache }) }, warnings)
  }
  const source = mediaSource(part.source)
  if (source === undefined) return warn(warnings, 'file_id')
  if (part.detail === 'low' || part.detail === 'high') warnings.add('image_detail')
  return [{ type: 'image', source, ...encodeCacheControl(part) }]
}

/** Common media types that the vendor knows under another name. */
const TYPES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg', 'image/x-png': 'image/png' }

function mediaSource(source: MediaSource): JsonObject | undefined {
  if (source.kind === 'url') return { type: 'url', url: source.url }
  if (source.kind === 'base64') return { type: 'base64', media_type: TYPES[source.media_type] ?? source.media_type, data: source.data }
  return source.by === BY ? { type: 'file', file_id: source.id } : undefined
}

/** The vendor reads only PDF and plain text: https://platform.claude.com/docs/en/build-with-claude/pdf-support */
function documentBlock(part: DocumentPart, warnings: Set<string>): JsonObject[] {
  const { source, name, context, has_citations } = part
  const isOther = source.kind === 'base64' && source.media_type !== 'application/pdf' && !source.media_type.startsWith('text/')
  if (isOther) return warn(warnings, 'file')
  const encoded = documentSource(source)
  if (encoded === undefined) return warn(warnings, 'file_id')
  return [
    {
      type: 'document',
      source: encoded,
      ...(name === undefined ? {} : { title: name }),
      ...(context === undefined ? {} : { context }),
      ...(has_citations === undefined ? {} : { citations: { enabled: has_citations } }),
      ...encodeCacheControl(part),
    },
  ]
}

function documentSource(source: DocumentPart['source']): JsonObject | undefined {
  if (source.kind === 'text') return { type: 'text', media_type: 'text/plain', data: source.text }
  if (source.kind !== 'base64' || source.media_type === 'application/pdf') return mediaSource(source)
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString('utf8') }
}

function callBlock(part: ToolCallPart, warnings: Set<string>): JsonObject {
  const input = argumentsOf(part.arguments)
  if (input === undefined) warnings.add('tool_arguments')
  return { type: 'tool_use', id: toToolId(part.id), name: part.name, input: input ?? {}, ...encodeCacheControl(part) }
}

/** Ids of other vendors can contain characters that are refused here; calls and results are changed alike. */
export function toToolId(id: string): string {
  return id === '' ? 'call' : id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}

function resultBlock(part: ToolResultPart, warnings: Set<string>): JsonObject {
  const blocks = encodeParts(part.content, warnings)
  const [only] = blocks
  const isPlain = blocks.length === 1 && only?.['type'] === 'text' && only['cache_control'] === undefined
  return {
    type: 'tool_result',
    tool_use_id: toToolId(part.call_id),
    ...(blocks.length === 0 ? {} : { content: isPlain ? only['text'] : blocks }),
    ...(part.is_error === undefined ? {} : { is_error: part.is_error }),
    ...encodeCacheControl(part),
  }
}
