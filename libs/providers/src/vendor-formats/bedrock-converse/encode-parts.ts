import { argumentsOf } from '../../chat/call-arguments.ts'
import type { Content } from '../../chat/content.ts'
import type {
  DocumentPart,
  ImagePart,
  MediaSource,
  Part,
  RedactedThinkingPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../chat/request.ts'
import type { JsonObject } from '../../json.ts'
import type { Warnings } from '../../warnings.ts'

/** Content blocks: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */

const IMAGES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const DOCUMENTS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
}

/** Contents that the blocks can express besides text. Media at an address are fetched first. */
export function carries({ place, wants }: Content): boolean {
  if (place !== 'user' && place !== 'result') return false
  if (wants.kind === 'image') return isPossible(wants.source, IMAGES)
  return wants.kind === 'document' && (wants.source.kind === 'text' || isPossible(wants.source, DOCUMENTS))
}

function isPossible(source: MediaSource, formats: Readonly<Record<string, string>>): boolean {
  return source.kind === 'url' || (source.kind === 'base64' && formats[source.media_type] !== undefined)
}

/** Encodes the parts of one turn, in order. What cannot be expressed is added to `warnings`. */
export function encodeParts(parts: readonly Part[], context: PartContext): JsonObject[] {
  return parts.flatMap((part) => [...encodePart(part, context), ...cachePoint(part, context)])
}

/** Where parts are encoded; cache points are refused by models without them. */
export type PartContext = { readonly warnings: Warnings; readonly hasCachePoints: boolean }

/** The prefix up to here is cached for five minutes: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CachePointBlock.html */
function cachePoint(part: Part, { warnings, hasCachePoints }: PartContext): JsonObject[] {
  const cache = 'cache' in part ? part.cache : undefined
  if (cache === undefined) return []
  if (!hasCachePoints) warnings.add('cache_control')
  else if (cache.ttl === '1h') warnings.add('cache_control: 5 minutes instead of 1 hour')
  return hasCachePoints ? [{ cachePoint: { type: 'default' } }] : []
}

function encodePart(part: Part, context: PartContext): JsonObject[] {
  const { warnings } = context
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return textBlock(part.text)
    case 'image':
      return imageBlock(part, warnings)
    case 'document':
      return documentBlock(part, warnings)
    case 'tool-call':
      return [callBlock(part, warnings)]
    case 'tool-result':
      return [resultBlock(part, context)]
    case 'thinking':
    case 'redacted-thinking':
      return reasoningBlock(part, warnings)
    default:
      warnings.add(part.kind)
      return []
  }
}

/** Only reasoning that Converse signed: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html (2026-11-24) */
function reasoningBlock(part: ThinkingPart | RedactedThinkingPart, warnings: Warnings): JsonObject[] {
  if (part.by === 'bedrock-converse' && part.kind === 'redacted-thinking') return [{ reasoningContent: { redactedContent: part.data } }]
  if (part.by === 'bedrock-converse' && part.kind === 'thinking' && part.signature !== undefined)
    return [{ reasoningContent: { reasoningText: { text: part.text, signature: part.signature } } }]
  warnings.add('thinking of earlier turns')
  return []
}

/** Blank texts are refused. */
function textBlock(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ text }]
}

function imageBlock({ source }: ImagePart, warnings: Warnings): JsonObject[] {
  const format = source.kind === 'base64' ? IMAGES[source.media_type] : undefined
  if (source.kind === 'base64' && format !== undefined) return [{ image: { format, source: { bytes: source.data } } }]
  warnings.add('image')
  return []
}

function documentBlock({ source, name }: DocumentPart, warnings: Warnings): JsonObject[] {
  const bytes = source.kind === 'text' ? Buffer.from(source.text).toString('base64') : source.kind === 'base64' ? source.data : undefined
  const format = source.kind === 'text' ? 'txt' : source.kind === 'base64' ? DOCUMENTS[source.media_type] : undefined
  if (bytes === undefined || format === undefined) {
    warnings.add('document')
    return []
  }
  return [{ document: { format, name: documentName(name), source: { bytes } } }]
}

/** Names have letters, digits, single spaces, hyphens and brackets. */
function documentName(name = ''): string {
  const clean = name
    .replaceAll(/[^A-Za-z0-9\-()[\]]+/g, ' ')
    .trim()
    .slice(0, 200)
  return clean === '' ? 'document' : clean
}

function callBlock(part: ToolCallPart, warnings: Warnings): JsonObject {
  const input = argumentsOf(part.arguments)
  if (input === undefined) warnings.add('tool_arguments')
  return { toolUse: { toolUseId: callId(part.id), name: part.name, input: input ?? {} } }
}

function resultBlock({ call_id, content, is_error }: ToolResultPart, context: PartContext): JsonObject {
  const blocks = encodeParts(content satisfies readonly (TextPart | ImagePart | DocumentPart)[], { ...context, hasCachePoints: false })
  return {
    toolResult: {
      toolUseId: callId(call_id),
      content: blocks.length === 0 ? [{ text: '(empty)' }] : blocks,
      ...(is_error === true ? { status: 'error' } : {}),
    },
  }
}

/** Ids have at most 64 letters, digits, hyphens and underscores. */
const callId = (id: string) => id.replaceAll(/[^\w-]/g, '_').slice(-64)
