import { argumentsOf } from '../../call-arguments.ts'
import {
  toolNames,
  type DocumentPart,
  type MediaSource,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../../request.ts'
import { isObject, parseJson, type JsonObject } from '../../../json.ts'
import type { Warnings } from '../../../warnings.ts'
import { demandsSignatures, takesMediaInResults } from './model.ts'

/** The placeholder that Gemini 3 accepts for a missing signature: https://ai.google.dev/gemini-api/docs/thought-signatures#faqs */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator'

type Content = { readonly role: 'user' | 'model'; readonly parts: readonly JsonObject[] }

type Context = { readonly model: string; readonly names: ReadonlyMap<string, string>; readonly warnings: Warnings }

/**
 * Encodes messages as contents: system messages separately, consecutive messages of one role merged, function results in the order of
 * their calls.
 */
export function encodeMessages(messages: readonly Message[], model: string, warnings: Warnings): JsonObject {
  const context: Context = { model, names: toolNames(messages), warnings }
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer'
  const turns = messages.filter((message) => !isSystem(message))
  const firstTurn = messages.findIndex((message) => !isSystem(message))
  if (firstTurn !== -1 && messages.slice(firstTurn).some(isSystem)) warnings.add('system.position')
  if (messages.some(({ name }) => name !== undefined)) warnings.add('message.name')
  const system = messages.filter(isSystem).flatMap((message) => message.parts.flatMap((part) => encodeSystem(part, warnings)))
  const contents = joinTurns(turns.flatMap((message) => encodeMessage(message, context)))
  // A request without contents is refused: https://ai.google.dev/api/generate-content
  if (contents.length === 0) return { contents: [{ role: 'user', parts: system }] }
  return { contents: inOrderOfCalls(contents), ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }) }
}

function encodeSystem(part: Part, warnings: Warnings): JsonObject[] {
  noteMark(part, warnings)
  if (part.kind === 'text') return part.text === '' ? [] : [{ text: part.text }]
  warnings.add(`system.${part.kind}`)
  return []
}

function encodeMessage({ role, parts }: Message, context: Context): Content[] {
  if (role === 'assistant') return [{ role: 'model', parts: encodeAnswerParts(parts, context) }]
  // Function results answer the turn before; other content of their message is a turn of its own.
  const results = parts.filter((part) => part.kind === 'tool-result').flatMap((part) => encodeResult(part, context))
  const others = parts.filter((part) => part.kind !== 'tool-result').flatMap((part) => encodePart(part, context))
  const media = parts.filter((part) => part.kind === 'tool-result').flatMap((part) => mediaBeside(part, context))
  return [
    { role: 'user', parts: results },
    { role: 'user', parts: [...media, ...others] },
  ]
}

function encodeAnswerParts(parts: readonly Part[], context: Context): JsonObject[] {
  const encoded = parts.flatMap((part) => (part.kind === 'tool-call' ? [] : encodePart(part, context)))
  const calls = parts.filter((part) => part.kind === 'tool-call')
  const isSigned = calls.some(({ signature }) => signature !== undefined)
  return [...encoded, ...calls.map((call, index) => encodeCall(call, index === 0 && !isSigned, context))]
}

function encodeCall(call: ToolCallPart, isFirstUnsigned: boolean, { model, warnings }: Context): JsonObject {
  noteMark(call, warnings)
  const args = argumentsOf(call.arguments)
  if (args === undefined) warnings.add('tool_call.arguments')
  const signature = call.signature ?? (isFirstUnsigned && demandsSignatures(model) ? SKIP_SIGNATURE : undefined)
  return {
    functionCall: { id: call.id, name: call.name, args: args ?? {} },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  }
}

function encodePart(part: Part, context: Context): JsonObject[] {
  const { warnings } = context
  noteMark(part, warnings)
  switch (part.kind) {
    case 'text':
      return encodeText(part.text)
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'image':
      if (part.detail !== undefined && part.detail !== 'auto') warnings.add('image.detail')
      return encodeSource(part.source, warnings)
    case 'audio':
    case 'video':
      return encodeSource(part.source, warnings)
    case 'document':
      return encodeDocument(part, warnings)
    case 'thinking':
      return encodeThinking(part, warnings)
    case 'redacted-thinking':
      warnings.add('redacted_thinking')
      return []
    case 'tool-call':
      return [encodeCall(part, true, context)]
    case 'tool-result':
      return encodeResult(part, context)
    case 'vendor-specific':
      if (part.by === 'gemini') return [part.raw]
      warnings.add(`part.${part.type}`)
      return []
  }
}

function encodeThinking({ by, text, signature }: Extract<Part, { kind: 'thinking' }>, warnings: Warnings): JsonObject[] {
  if (by === 'gemini') return [{ text, thought: true, ...(signature === undefined ? {} : { thoughtSignature: signature }) }]
  warnings.add('thinking')
  return []
}

const MARKDOWN_IMAGE = /!\[[^\]]*\]\(data:(image\/[\w.+-]+);base64,([\w+/=]+)\)/g

/** Images that were sent to the client as markdown (`![image](data:…)`) become images again when they come back. */
function encodeText(text: string): JsonObject[] {
  if (text === '') return []
  if (!text.includes('](data:image/')) return [{ text }]
  const parts: JsonObject[] = []
  let from = 0
  for (const found of text.matchAll(MARKDOWN_IMAGE)) {
    const before = text.slice(from, found.index).trim()
    if (before !== '') parts.push({ text: before })
    parts.push({ inlineData: { mimeType: found[1], data: found[2] } })
    from = found.index + found[0].length
  }
  const rest = text.slice(from)
  return rest.trim() === '' ? parts : [...parts, { text: rest }]
}

function encodeSource(source: MediaSource, warnings: Warnings): JsonObject[] {
  if (source.kind === 'base64') return [{ inlineData: { mimeType: source.media_type, data: source.data } }]
  if (source.kind === 'url') {
    const { url, media_type } = source
    return [{ fileData: { fileUri: url, ...(media_type === undefined ? {} : { mimeType: media_type }) } }]
  }
  if (source.by === 'gemini') return [{ fileData: { fileUri: source.id } }]
  warnings.add('file')
  return []
}

function encodeDocument({ source, context, has_citations }: DocumentPart, warnings: Warnings): JsonObject[] {
  if (context !== undefined) warnings.add('document.context')
  if (has_citations === true) warnings.add('document.citations')
  return source.kind === 'text' ? [{ text: source.text }] : encodeSource(source, warnings)
}

function encodeResult(part: ToolResultPart, { names, model, warnings }: Context): JsonObject[] {
  noteMark(part, warnings)
  const name = names.get(part.call_id) ?? part.name
  if (name === undefined) warnings.add('tool_result.name')
  const parts = takesMediaInResults(model) ? part.content.flatMap((inner) => mediaOf(inner, warnings)) : []
  const response = { id: part.call_id, name: name ?? 'unknown', response: responseOf(part) }
  return [{ functionResponse: parts.length === 0 ? response : { ...response, parts } }]
}

/** Media of a result, for models that do not accept it inside the result. */
function mediaBeside(part: ToolResultPart, { model, warnings }: Context): JsonObject[] {
  return takesMediaInResults(model) ? [] : part.content.flatMap((inner) => mediaOf(inner, warnings))
}

function mediaOf(part: ToolResultPart['content'][number], warnings: Warnings): JsonObject[] {
  if (part.kind === 'image') return encodeSource(part.source, warnings)
  return part.kind === 'document' && part.source.kind !== 'text' ? encodeSource(part.source, warnings) : []
}

/** Google's keys are `output` and `error`; an object is sent as it is. https://ai.google.dev/api/caching#FunctionResponse */
function responseOf({ content, is_error }: ToolResultPart): JsonObject {
  const text = content
    .map(textOf)
    .filter((piece) => piece !== '')
    .join('\n')
  if (is_error === true) return { error: text }
  const value = /^\s*[{[]/.test(text) ? parseJson(text) : undefined
  if (Array.isArray(value)) return { output: value }
  const isOwnKey = isObject(value) && Object.keys(value).length === 1 && ('output' in value || 'error' in value)
  return isObject(value) && !isOwnKey ? value : { output: text }
}

function textOf(part: ToolResultPart['content'][number]): string {
  if (part.kind === 'text') return part.text
  return part.kind === 'document' && part.source.kind === 'text' ? part.source.text : ''
}

function noteMark(part: Part, warnings: Warnings): void {
  if ('cache' in part && part.cache !== undefined) warnings.add('cache_control')
}

/** Merges consecutive contents of one role, but keeps function results apart from other content. */
function joinTurns(contents: readonly Content[]): Content[] {
  const joined: { readonly role: Content['role']; readonly parts: JsonObject[]; readonly hasResults: boolean }[] = []
  for (const { role, parts } of contents) {
    if (parts.length === 0) continue
    const last = joined.at(-1)
    const hasResults = isResults({ role, parts })
    if (last?.role === role && last.hasResults === hasResults) for (const part of parts) last.parts.push(part)
    else joined.push({ role, parts: [...parts], hasResults })
  }
  return joined.map(({ role, parts }) => ({ role, parts }))
}

const isResults = ({ parts }: Content) => parts.length > 0 && parts.every((part) => part['functionResponse'] !== undefined)

/** Google matches results to calls by order if it does not use ids. */
function inOrderOfCalls(contents: readonly Content[]): Content[] {
  return contents.map((content, index) => {
    const before = contents[index - 1]
    if (before === undefined || !isResults(content)) return content
    const order = new Map<unknown, number>()
    for (const [at, part] of before.parts.entries()) {
      const id = idOf(part['functionCall'])
      if (!order.has(id)) order.set(id, at)
    }
    const rank = (part: JsonObject) => order.get(idOf(part['functionResponse'])) ?? before.parts.length
    return { role: content.role, parts: content.parts.toSorted((left, right) => rank(left) - rank(right)) }
  })
}

const idOf = (value: unknown) => (isObject(value) ? value['id'] : undefined)
