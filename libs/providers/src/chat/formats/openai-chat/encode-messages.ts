import { contentWithFailure } from '../../failed-result.ts'
import { toolNames, type Message, type ChatRequest, type Part, type ToolCallPart, type ToolResultPart } from '../../request.ts'
import { parseJsonObject, type JsonObject } from '../../../json.ts'
import { encodeContent, encodeImage, type PartContext } from './encode-parts.ts'
import { reasoningBackOf } from './model-rules.ts'
import { isOpenAiModel } from './models.ts'
import { toReasoningDetail, writeReasoningDetails } from './reasoning-details.ts'
import { writeReasoning } from './reasoning-field.ts'

/** Encodes messages for a vendor of the chat format; tool results come before the rest of their message, each as its own message. */
export function encodeMessages({ messages }: ChatRequest, context: PartContext): JsonObject[] {
  const names = toolNames(messages)
  return messages.flatMap((message) => {
    if (message.role === 'assistant') return [encodeAssistant(message, context)]
    if (message.role !== 'user') return [encodePlain(message, context)]
    return encodeUser(message, names, context)
  })
}

function encodePlain({ role, parts, name }: Message, context: PartContext): JsonObject {
  // `developer` is OpenAI's role; other vendors know `system` only.
  const known = role === 'developer' && !isOpenAiModel(context.model) ? 'system' : role
  const { own, rest } = takeRest(parts)
  return { role: known, content: encodeContent(own, context), ...named(name), ...rest }
}

function encodeUser(message: Message, names: ReadonlyMap<string, string>, context: PartContext): JsonObject[] {
  const results = message.parts.filter((part) => part.kind === 'tool-result')
  const media = results.flatMap(({ content }) => content.filter((part) => part.kind !== 'text'))
  if (media.length > 0) context.warnings.add('media of a tool result: sent as the user’s')
  const parts = [...media, ...message.parts.filter((part) => part.kind !== 'tool-result')]
  const sent = results.map((result) => encodeResult(result, names, context))
  return results.length > 0 && parts.length === 0 ? sent : [...sent, encodePlain({ ...message, parts }, context)]
}

const ATTACHED = 'The result is attached to the message that follows.'

function encodeResult(result: ToolResultPart, names: ReadonlyMap<string, string>, context: PartContext): JsonObject {
  if (result.is_error === true) context.warnings.add('tool result: is_error')
  const texts = contentWithFailure(result).filter((part) => part.kind === 'text')
  const content = encodeContent(texts, context)
  const isAttached = texts.length === 0 && result.content.length > 0
  // Some vendors require the tool's name (Gemini's compatible endpoint); OpenAI's own do not have the field.
  const name = result.name ?? (isOpenAiModel(context.model) ? undefined : names.get(result.call_id))
  return { role: 'tool', tool_call_id: result.call_id, ...named(name), content: isAttached ? ATTACHED : content }
}

/** Text, reasoning, refusal and calls have a field each, so their relative order is lost. */
function encodeAssistant({ parts, name }: Message, context: PartContext): JsonObject {
  const { own, rest } = takeRest(parts)
  const calls = own.filter((part) => part.kind === 'tool-call')
  const body = own.filter((part) => part.kind === 'text' || part.kind === 'vendor-specific')
  const refusal = own.flatMap((part) => (part.kind === 'refusal' ? part.text : [])).join('')
  const content = encodeContent(body, context, '')
  // Beside calls, some vendors refuse null, and every vendor accepts the empty text.
  const isEmpty = content.length === 0 && calls.length === 0 && refusal !== ''
  return {
    role: 'assistant',
    content: isEmpty ? null : content,
    ...named(name),
    ...encodeThoughts(own, context),
    ...(refusal === '' ? {} : { refusal }),
    ...encodeMedia(own, context),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeCall(call, context)) }),
    ...rest,
  }
}

/** OpenAI refuses or ignores the field; the model's rule says which want it. Reasoning from this format is written back. */
function encodeThoughts(parts: readonly Part[], context: PartContext): JsonObject {
  const { model, warnings, reasoning_details = false } = context
  const texts: string[] = []
  const details: JsonObject[] = []
  for (const part of parts) {
    const isThought = part.kind === 'thinking' || part.kind === 'redacted-thinking'
    const detail = reasoning_details && isThought ? toReasoningDetail(part) : undefined
    if (detail !== undefined) {
      details.push(detail)
      continue
    }
    if (part.kind === 'redacted-thinking') warnings.add('redacted thinking')
    if (part.kind !== 'thinking') continue
    if (part.signature !== undefined) warnings.add('signature of thinking')
    if (part.by === 'openai-chat' || reasoningBackOf(model, context) !== undefined) texts.push(part.text)
    else warnings.add('thinking of earlier turns')
  }
  return { ...(texts.length === 0 ? {} : writeReasoning(texts.join('\n\n'))), ...writeReasoningDetails(details) }
}

/** Other content of an assistant message: the audio of an earlier answer by its id, and images if the vendor is not OpenAI. */
function encodeMedia(parts: readonly Part[], context: PartContext): JsonObject {
  const images: JsonObject[] = []
  let audio: JsonObject | undefined
  for (const part of parts) {
    if (part.kind === 'image') {
      // https://openrouter.ai/docs/features/multimodal/image-generation
      const image = isOpenAiModel(context.model) ? undefined : encodeImage(part, context)
      if (image === undefined) context.warnings.add('image of an assistant')
      else images.push(image)
    } else if (part.kind === 'audio' && part.source.kind === 'file' && part.source.by === 'openai-chat') audio = { id: part.source.id }
    else if (MEDIA.has(part.kind)) context.warnings.add(`${part.kind} of an assistant`)
  }
  return { ...(audio === undefined ? {} : { audio }), ...(images.length === 0 ? {} : { images }) }
}

const MEDIA: ReadonlySet<Part['kind']> = new Set(['audio', 'video', 'document', 'tool-result'])

/** A call of a custom tool has the form in which the tool itself is declared: see `encodeTools`. */
function encodeCall({ id, name, arguments: given, is_custom }: ToolCallPart, { model }: PartContext): JsonObject {
  if (is_custom === true && isOpenAiModel(model)) return { id, type: 'custom', custom: { name, input: inputOf(given) } }
  // Empty text is not JSON, and strict vendors refuse it.
  return { id, type: 'function', function: { name, arguments: given === '' ? '{}' : given } }
}

/** The free text of a custom tool call; what is not wrapped is the text itself. */
export function inputOf(given: string): string {
  const input = parseJsonObject(given)?.['input']
  // If the model did not write the requested JSON, the tool receives the text as written.
  return typeof input === 'string' ? input : given
}

/** Message fields that only this format has: see `decodeMessages`. */
function takeRest(parts: readonly Part[]): { readonly own: readonly Part[]; readonly rest: JsonObject } {
  const isRest = (part: Part) => part.kind === 'vendor-specific' && part.by === 'openai-chat' && part.type === 'message'
  const raws = parts.flatMap((part) => (part.kind === 'vendor-specific' && isRest(part) ? part.raw : []))
  return { own: parts.filter((part) => !isRest(part)), rest: Object.assign({}, ...raws) }
}

const named = (name: string | undefined): JsonObject => (name === undefined ? {} : { name })
