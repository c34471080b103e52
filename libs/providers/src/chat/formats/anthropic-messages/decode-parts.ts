import { callProofPart, joinCallProofs, UNSIGNED, unwrapProof } from '../../proof.ts'
import type { DocumentPart, ImagePart, MediaSource, Part, TextPart } from '../../request.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeCacheControl } from './cache-control.ts'

const BY = 'anthropic-messages'

/** Decodes content, a text or checked blocks, to parts in order. */
export function decodeParts(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return Array.isArray(content) ? [...joinCallProofs(content.filter(isObject).flatMap(decodeBlock))] : []
}

function decodeBlock(block: JsonObject): Part[] {
  switch (block['type']) {
    case 'text':
      return [textPart(block), ...citations(block)]
    case 'image':
      return [imagePart(block)]
    case 'document':
    case 'search_result':
      return documentParts(block)
    case 'thinking':
      return [thinkingPart(block)]
    case 'redacted_thinking':
      return [redactedPart(String(block['data']))]
    case 'tool_use':
      return [
        {
          kind: 'tool-call',
          id: String(block['id']),
          name: String(block['name']),
          arguments: JSON.stringify(block['input'] ?? {}),
          ...decodeCacheControl(block),
        },
      ]
    case 'tool_result':
      return [toolResult(block)]
    default:
      return [{ kind: 'vendor-specific', by: BY, type: String(block['type']), raw: block }]
  }
}

const textPart = (block: JsonObject): TextPart => ({ kind: 'text', text: textAt(block, 'text') ?? '', ...decodeCacheControl(block) })

/** Citations have no part of their own: they follow the text they belong to as a vendor-specific part. */
function citations({ citations: list }: JsonObject): Part[] {
  const hasSome = Array.isArray(list) && list.length > 0
  return hasSome ? [{ kind: 'vendor-specific', by: BY, type: 'citations', raw: { citations: list } }] : []
}

/** This gateway wrote the signatures of reasoning of other vendors; an empty one counts as none. */
function thinkingPart(block: JsonObject): Part {
  const text = textAt(block, 'thinking') ?? ''
  const signature = textAt(block, 'signature')
  if (signature === undefined || signature === UNSIGNED) return { kind: 'thinking', text, by: BY }
  const proof = unwrapProof(signature)
  return { kind: 'thinking', text, signature: proof?.data ?? signature, by: proof?.by ?? BY }
}

function redactedPart(data: string): Part {
  const proof = unwrapProof(data)
  if (proof?.kind === 'call') return callProofPart(proof)
  return { kind: 'redacted-thinking', data: proof?.data ?? data, by: proof?.by ?? BY }
}

function imagePart(block: JsonObject): ImagePart {
  return { kind: 'image', source: mediaSource(objectAt(block, 'source')), ...decodeCacheControl(block) }
}

function mediaSource({ type, media_type, data, url, file_id }: JsonObject): MediaSource {
  if (type === 'url') return { kind: 'url', url: String(url) }
  if (type === 'file') return { kind: 'file', id: String(file_id), by: BY }
  return { kind: 'base64', media_type: String(media_type), data: String(data) }
}

/** Images inside a document of blocks follow it as image parts. */
function documentParts(block: JsonObject): (DocumentPart | ImagePart)[] {
  const isResult = block['type'] === 'search_result'
  const source = isResult ? { type: 'content', content: block['content'] } : objectAt(block, 'source')
  const title = textAt(block, 'title')
  const context = textAt(block, isResult ? 'source' : 'context')
  const isCited = objectAt(block, 'citations')['enabled']
  const document: DocumentPart = {
    kind: 'document',
    source: documentSource(source),
    ...(title === undefined ? {} : { name: title }),
    ...(context === undefined ? {} : { context }),
    ...(typeof isCited === 'boolean' ? { has_citations: isCited } : {}),
    ...decodeCacheControl(block),
  }
  const inner = source['type'] === 'content' && Array.isArray(source['content']) ? source['content'].filter(isObject) : []
  return [document, ...inner.filter((part) => part['type'] === 'image').map(imagePart)]
}

function documentSource(source: JsonObject): DocumentPart['source'] {
  const { type, data, content } = source
  if (type === 'text') return { kind: 'text', text: String(data) }
  if (type !== 'content') return mediaSource(source)
  if (typeof content === 'string') return { kind: 'text', text: content }
  const texts = Array.isArray(content) ? content.map((part) => textAt(part, 'text')).filter((text) => text !== undefined) : []
  return { kind: 'text', text: texts.join('\n') }
}

function toolResult(block: JsonObject): Part {
  const { content, is_error } = block
  const parts =
    typeof content === 'string' ? decodeText(content) : Array.isArray(content) ? content.filter(isObject).flatMap(resultPart) : []
  return {
    kind: 'tool-result',
    call_id: String(block['tool_use_id']),
    content: parts,
    ...(typeof is_error === 'boolean' ? { is_error } : {}),
    ...decodeCacheControl(block),
  }
}

const decodeText = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'text', text }])

/** A kind of result that no other format has (a tool reference, a browser state) is kept as JSON text. */
function resultPart(block: JsonObject): (TextPart | ImagePart | DocumentPart)[] {
  if (block['type'] === 'text') return [textPart(block)]
  if (block['type'] === 'image') return [imagePart(block)]
  if (block['type'] === 'document' || block['type'] === 'search_result') return documentParts(block)
  return [{ kind: 'text', text: JSON.stringify(block) }]
}
