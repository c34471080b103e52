import type { EncodeContext, VendorCodec } from '../../chat/codec.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { ChatRequest } from '../../chat/request.ts'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { createEventDecoder, type EventReader } from '../../chat/event-decoder.ts'
import { ChunkReader } from '../../chat/formats/openai-chat/chunk-reader.ts'
import { openAiChat } from '../../chat/formats/openai-chat/index.ts'
import { decodeTencentError, streamError } from './errors.ts'
import { toLowerNames, toTencentNames } from './names.ts'

/**
 * Hunyuan's ChatCompletions: OpenAI's chat under other names, and with fewer fields. Fields and events:
 * https://github.com/TencentCloud/tencentcloud-sdk-ruby/blob/master/tencentcloud-sdk-hunyuan/lib/v20230901/models.rb (2026-11-24)
 */
export const tencentChat: VendorCodec = {
  name: 'tencent-chat',
  vendor: {
    encodeChat,
    // Images by address or inline; the rest of OpenAI's contents has no field.
    carries: ({ place, wants }) => wants.kind === 'image' && place === 'user' && wants.source.kind !== 'file',
    createDecoder: () => createEventDecoder(new Reader()),
    decodeAnswer,
    decodeError: decodeTencentError,
    wantsInlineMedia: false,
    hasNoFormats: true,
  },
}

const KEPT = new Set(['model', 'messages', 'stream', 'temperature', 'top_p', 'seed', 'stop', 'tools', 'tool_choice'])
const MAX_SEED = 10_000

function encodeChat(request: ChatRequest, context: EncodeContext): { body: JsonObject; warnings: readonly string[] } {
  const written = openAiChat.vendor.encodeChat(request, { ...context, supports_stream_options: false })
  const warnings = new Warnings()
  for (const warning of written.warnings) warnings.add(warning)
  const { tool_choice, stop, seed, messages, ...fields } = written.body
  for (const field of Object.keys(fields)) if (!KEPT.has(field)) warnings.add(field)
  const isKnownSeed = typeof seed === 'number' && seed >= 1 && seed <= MAX_SEED
  if (seed !== undefined && !isKnownSeed) warnings.add('seed')
  const kept = Object.fromEntries(Object.entries(fields).filter(([field]) => KEPT.has(field)))
  return {
    body: {
      ...toTencentNames(withoutUnknown(kept)),
      ...thinkingOf(request),
      Messages: alternating(listAt({ messages }, 'messages').map(toMessage)),
      ...(stop === undefined ? {} : { Stop: Array.isArray(stop) ? stop : [stop] }),
      ...(isKnownSeed ? { Seed: seed } : {}),
      ...toolChoiceOf(tool_choice, listAt(fields, 'tools'), warnings),
    },
    warnings: warnings.entries,
  }
}

/** Fields of OpenAI's parts and functions that Tencent's API does not know, and refuses: models.rb of its SDK 3.1.180 (2026-11). */
const UNKNOWN = new Set(['detail', 'strict'])

function withoutUnknown(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([name]) => !UNKNOWN.has(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, cleaned(name, inner)]))
}

/** A schema's properties have names of the client's own. */
function cleaned(name: string, value: unknown): unknown {
  if (name === 'parameters') return value
  if (Array.isArray(value)) return value.map((item: unknown) => cleaned('', item))
  return isObject(value) ? withoutUnknown(value) : value
}

/** Thinking has a switch of its own; absent: the model's default. */
function thinkingOf({ thinking }: ChatRequest): JsonObject {
  return thinking === undefined ? {} : { EnableThinking: thinking.mode !== 'off' }
}

const MESSAGE_FIELDS = ['role', 'content', 'tool_call_id', 'tool_calls']

/** Parts have a field of their own, `Contents`; an assistant that only calls tools has empty text. */
function toMessage(message: unknown): JsonObject {
  const known = isObject(message) ? Object.fromEntries(Object.entries(message).filter(([name]) => MESSAGE_FIELDS.includes(name))) : {}
  const { Content, ...rest } = toTencentNames(withoutUnknown(known))
  return Array.isArray(Content) ? { ...rest, Contents: Content } : { ...rest, Content: Content ?? '' }
}

/** Instructions come first, and turns of the same speaker become one; the vendor refuses them otherwise. */
function alternating(messages: readonly JsonObject[]): readonly JsonObject[] {
  const isInstruction = ({ Role }: JsonObject) => Role === 'system'
  const joined: JsonObject[] = []
  for (const message of [...messages.filter(isInstruction), ...messages.filter((message) => !isInstruction(message))]) {
    const last = joined.at(-1)
    const [before, after] = [plainText(last), plainText(message)]
    if (last?.['Role'] === message['Role'] && before !== undefined && after !== undefined)
      joined[joined.length - 1] = { Role: message['Role'], Content: `${before}\n${after}` }
    else joined.push(message)
  }
  return joined
}

/** The text of a message that is nothing else. */
function plainText(message: JsonObject | undefined): string | undefined {
  if (message === undefined || message['Role'] === 'tool' || message['ToolCalls'] !== undefined) return undefined
  return typeof message['Content'] === 'string' ? message['Content'] : undefined
}

/** `none`, `auto`, or `custom` with the one tool that must be called: that of the choice, or the only one there is. */
function toolChoiceOf(choice: unknown, tools: readonly unknown[], warnings: Warnings): JsonObject {
  if (choice === undefined) return {}
  if (choice === 'none' || choice === 'auto') return { ToolChoice: choice }
  const name = textAt(objectAt(choice, 'function'), 'name')
  const named =
    choice === 'required' && tools.length === 1 ? tools[0] : tools.find((tool) => textAt(objectAt(tool, 'function'), 'name') === name)
  if (isObject(named)) return { ToolChoice: 'custom', CustomTool: toTencentNames(named) }
  warnings.add('tool_choice')
  return { ToolChoice: 'auto' }
}

class Reader implements EventReader {
  isDone = false
  readonly #reader = new ChunkReader()

  read(data: JsonObject): readonly ModelEvent[] {
    const failure = streamError(data)
    if (failure !== undefined) return [{ kind: 'failed', failure }]
    const events: ModelEvent[] = []
    this.#reader.read(toChunk(data), events)
    if (!this.#reader.isFinished) return events
    this.isDone = true
    return [...events, ...this.#reader.end()]
  }
}

function decodeAnswer(body: unknown): ModelEvent[] {
  const answer = objectAt(body, 'Response')
  const failure = streamError(answer)
  if (failure !== undefined) return [{ kind: 'failed', failure }]
  return openAiChat.vendor.decodeAnswer(toChunk(answer))
}

/** Moderation ends an answer as `sensitive`. */
function toChunk(data: JsonObject): JsonObject {
  const chunk = toLowerNames(data)
  const choices = listAt(chunk, 'choices').map((choice) =>
    isObject(choice) && choice['finish_reason'] === 'sensitive' ? { ...choice, finish_reason: 'content_filter' } : choice,
  )
  return { ...chunk, choices }
}
