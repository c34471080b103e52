import { contentWithFailure } from '../../failed-result.ts'
import type { Message, ChatRequest, Part, ToolCallPart, ToolResultPart } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { inputOf } from '../openai-chat/encode-messages.ts'
import type { PartContext } from '../openai-chat/encode-parts.ts'
import { hasBreakpoints } from '../openai-chat/models.ts'
import { encodeContent, encodeOutput } from './encode-parts.ts'

/** `instructions` and `input`. The leading system message becomes the instructions; a single plain text becomes the input itself. */
export function encodeItems({ messages }: ChatRequest, context: PartContext): JsonObject {
  const first = messages.findIndex((message) => !isInstruction(message, context))
  const leading = first === -1 ? messages : messages.slice(0, first)
  const instructions = leading.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? part.text : [])))
  if (leading.some(({ parts }) => parts.some((part) => part.kind === 'text' && part.cache !== undefined)))
    context.warnings.add('cache marks')
  const rest = first === -1 ? [] : messages.slice(first)
  const custom = new Set(rest.flatMap(({ parts }) => parts.flatMap((part) => (isCustomCall(part) ? part.id : []))))
  const plain = plainInput(rest)
  return {
    ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
    input: plain ?? rest.flatMap((message) => encodeMessage(message, { ...context, custom })),
  }
}

type ItemContext = PartContext & { readonly custom: ReadonlySet<string> }

/** A text with a cache breakpoint stays a part if the model supports breakpoints: instructions cannot have one. */
function isInstruction({ role, parts }: Message, { model }: PartContext): boolean {
  const isPlain = (part: Part) => part.kind === 'text' && (part.cache === undefined || !hasBreakpoints(model))
  return role === 'system' && parts.every(isPlain)
}

function plainInput(messages: readonly Message[]): string | undefined {
  const [only] = messages
  const part = only?.parts[0]
  if (messages.length !== 1 || only?.role !== 'user' || only.parts.length !== 1) return undefined
  return part?.kind === 'text' && part.cache === undefined ? part.text : undefined
}

const isCustomCall = (part: Part): part is ToolCallPart => part.kind === 'tool-call' && part.is_custom === true

function encodeMessage(message: Message, context: ItemContext): JsonObject[] {
  if (message.name !== undefined) context.warnings.add('name of a message')
  if (message.role === 'assistant') return encodeAssistant(message, context)
  const results = message.parts.filter((part) => part.kind === 'tool-result')
  const outputs = message.parts.filter((part) => part.kind === 'vendor-specific').filter(isOutput)
  const said = message.parts.filter((part) => part.kind !== 'tool-result' && !isOutput(part))
  const content = encodeContent(said, context)
  return [
    ...results.map((result) => encodeResult(result, context)),
    ...outputs.map(({ raw }) => raw),
    ...(content.length === 0 ? [] : [{ type: 'message', role: message.role, content }]),
  ]
}

/** An item that is not a message: the result of a tool that vendor or client ran in a format-specific way. */
function isOutput(part: Part): boolean {
  return part.kind === 'vendor-specific' && part.by === 'openai-responses' && part.type.endsWith('_output')
}

function encodeResult(result: ToolResultPart, context: ItemContext): JsonObject {
  if (result.is_error === true) context.warnings.add('tool result: is_error')
  const type = context.custom.has(result.call_id) ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: result.call_id, output: encodeOutput(contentWithFailure(result), context) }
}

/** Items in the order of the parts: adjacent texts are one message. */
function encodeAssistant({ parts }: Message, context: ItemContext): JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] | undefined
  for (const part of parts) {
    const said = encodeSaid(part)
    if (said !== undefined) {
      if (content === undefined) items.push({ type: 'message', role: 'assistant', content: (content = []) })
      content.push(said)
    } else if (part.kind === 'vendor-specific' && part.by === 'openai-responses' && part.type === 'phase') {
      const last = items.pop()
      if (last !== undefined) items.push({ ...last, ...part.raw })
    } else {
      content = undefined
      items.push(...encodeOther(part, context))
    }
  }
  return items
}

function encodeSaid(part: Part): JsonObject | undefined {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] }
  return part.kind === 'refusal' ? { type: 'refusal', refusal: part.text } : undefined
}

function encodeOther(part: Part, { warnings }: ItemContext): JsonObject[] {
  if (part.kind === 'tool-call') return [encodeCall(part)]
  if (part.kind === 'vendor-specific' && part.by === 'openai-responses') return [part.raw]
  if (part.kind === 'redacted-thinking' && part.by === 'openai-responses') {
    return [{ type: 'reasoning', summary: [], encrypted_content: part.data }]
  }
  if (part.kind === 'thinking' && part.by === 'openai-responses' && part.signature !== undefined) {
    return [{ type: 'reasoning', summary: [{ type: 'summary_text', text: part.text }], encrypted_content: part.signature }]
  }
  // OpenAI accepts only reasoning that it encrypted itself: https://developers.openai.com/api/docs/guides/reasoning
  warnings.add(
    part.kind === 'thinking'
      ? 'thinking of earlier turns'
      : part.kind === 'vendor-specific'
        ? `part ${part.type}`
        : `${part.kind} of an assistant`,
  )
  return []
}

function encodeCall({ id, name, arguments: given, is_custom }: ToolCallPart): JsonObject {
  if (is_custom === true) return { type: 'custom_tool_call', call_id: id, name, input: inputOf(given) }
  return { type: 'function_call', call_id: id, name, arguments: given === '' ? '{}' : given }
}
