import type { InputClasses } from '../../chat/answer-facts.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'

export type PromptFacts = {
  readonly texts: readonly string[]
  readonly tool_texts: readonly string[]
  readonly extra_tokens: number
  readonly classes: InputClasses
}

/** Frame of a message and of the whole prompt, as published: https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken */
const PER_MESSAGE = 3
const PER_PROMPT = 3
const PER_NAME = 1
const PER_TOOL = 8
/** Nobody measures media before the call: typical sizes, so that the hold is of the right order. */
const PER_AUDIO = 100
const PER_FILE = 5000
const IMAGE = { low: 85, high: 765 } as const
/** This model counts images 33 times as high: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const DEAR_IMAGES = /^gpt-4o-mini/

type Counts = {
  texts: string[]
  tool_texts: string[]
  extra: number
  audio: boolean
  images: boolean
  cache_write: boolean
  cache_write_1h: boolean
  isDear: boolean
}

/** Collects what of a checked chat body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject, model: string): PromptFacts {
  const counts: Counts = {
    texts: [],
    tool_texts: [],
    extra: PER_PROMPT,
    audio: false,
    images: false,
    cache_write: false,
    cache_write_1h: false,
    isDear: DEAR_IMAGES.test(model),
  }
  for (const message of listAt(body, 'messages')) addMessage(counts, message)
  for (const tool of listAt(body, 'tools')) addTool(counts, isObject(tool) && isObject(tool['function']) ? tool['function'] : tool)
  for (const tool of listAt(body, 'functions')) addTool(counts, tool)
  const schema = objectAt(body, 'response_format')['json_schema']
  if (isObject(schema)) counts.tool_texts.push(JSON.stringify(schema))
  const { texts, tool_texts, extra, audio, images, cache_write, cache_write_1h } = counts
  return { texts, tool_texts, extra_tokens: extra, classes: { audio, images, cache_write, ...(cache_write_1h ? { cache_write_1h } : {}) } }
}

function addMessage(counts: Counts, message: unknown): void {
  if (!isObject(message)) return
  counts.extra += PER_MESSAGE + 1
  addText(counts, message['name'], PER_NAME)
  addText(counts, message['refusal'])
  addText(counts, message['reasoning_content'])
  const { content } = message
  if (typeof content === 'string') counts.texts.push(content)
  else if (Array.isArray(content)) for (const part of content) addPart(counts, part)
  for (const call of listAt(message, 'tool_calls')) addCall(counts, objectAt(call, 'function'))
  addCall(counts, objectAt(message, 'function_call'))
}

function addPart(counts: Counts, part: unknown): void {
  if (!isObject(part)) return
  if (part['cache_control'] !== undefined) {
    counts.cache_write = true
    if (objectAt(part, 'cache_control')['ttl'] === '1h') counts.cache_write_1h = true
  }
  addText(counts, part['text'])
  addText(counts, part['refusal'])
  const type = part['type']
  if (type === 'image_url' || type === 'image') {
    counts.images = true
    const tokens = objectAt(part, 'image_url')['detail'] === 'low' ? IMAGE.low : IMAGE.high
    counts.extra += counts.isDear ? tokens * 33 : tokens
  } else if (type === 'input_audio') {
    counts.audio = true
    counts.extra += PER_AUDIO
  } else if (type === 'file' || type === 'video_url') counts.extra += PER_FILE
}

function addCall(counts: Counts, call: JsonObject): void {
  for (const text of [textAt(call, 'name'), textAt(call, 'arguments')]) if (text !== undefined) counts.tool_texts.push(text)
}

function addTool(counts: Counts, tool: unknown): void {
  if (!isObject(tool)) return
  counts.extra += PER_TOOL
  for (const text of [textAt(tool, 'name'), textAt(tool, 'description')]) if (text !== undefined) counts.tool_texts.push(text)
  if (isObject(tool['parameters'])) counts.tool_texts.push(JSON.stringify(tool['parameters']))
}

function addText(counts: Counts, text: unknown, tokens = 0): void {
  if (typeof text !== 'string' || text === '') return
  counts.texts.push(text)
  counts.extra += tokens
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const inner = isObject(value) ? value[key] : undefined
  return Array.isArray(inner) ? inner : []
}
