import type { ModelRequest } from '../../chat/model-request.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'

type PromptFacts = Pick<ModelRequest, 'texts' | 'tool_texts' | 'extra_tokens' | 'classes'>

/** Frame of an item and of the whole prompt, as for chat messages. */
const PER_ITEM = 4
const PER_PROMPT = 3
const PER_TOOL = 8
/** Nobody measures media before the call: typical sizes, so that the hold is of the right order. */
const PER_AUDIO = 100
const PER_FILE = 5000
const IMAGE = { low: 85, high: 765 } as const

type Counts = { texts: string[]; tool_texts: string[]; extra: number; audio: boolean; images: boolean; cache_write: boolean }

/** Collects what of a checked Responses body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject): PromptFacts {
  const counts: Counts = { texts: [], tool_texts: [], extra: PER_PROMPT, audio: false, images: false, cache_write: false }
  const { input } = body
  addText(counts.texts, body['instructions'])
  if (typeof input === 'string') addItem(counts, { content: input })
  else for (const item of listAt(body, 'input')) addItem(counts, item)
  for (const tool of listAt(body, 'tools')) addTool(counts, tool)
  const format = objectAt(body, 'text')['format']
  if (isObject(format) && isObject(format['schema'])) counts.tool_texts.push(JSON.stringify(format['schema']))
  const { texts, tool_texts, extra, audio, images, cache_write } = counts
  return { texts, tool_texts, extra_tokens: extra, classes: { audio, images, cache_write } }
}

function addItem(counts: Counts, item: unknown): void {
  if (!isObject(item)) return
  counts.extra += PER_ITEM
  for (const list of [item['content'], item['output'], item['summary']]) {
    if (typeof list === 'string') addText(counts.texts, list)
    else if (Array.isArray(list)) for (const part of list) addPart(counts, part)
  }
  for (const key of ['name', 'arguments', 'input']) addText(counts.tool_texts, item[key])
}

function addPart(counts: Counts, part: unknown): void {
  if (!isObject(part)) return
  if (part['prompt_cache_breakpoint'] !== undefined) counts.cache_write = true
  addText(counts.texts, part['text'])
  addText(counts.texts, part['refusal'])
  const type = part['type']
  if (type === 'input_image' || type === 'computer_screenshot') {
    counts.images = true
    counts.extra += part['detail'] === 'low' ? IMAGE.low : IMAGE.high
  } else if (type === 'input_audio') {
    counts.audio = true
    counts.extra += PER_AUDIO
  } else if (type === 'input_file') counts.extra += PER_FILE
}

function addTool(counts: Counts, tool: unknown): void {
  if (!isObject(tool)) return
  counts.extra += PER_TOOL
  for (const key of ['name', 'description']) addText(counts.tool_texts, textAt(tool, key))
  if (isObject(tool['parameters'])) counts.tool_texts.push(JSON.stringify(tool['parameters']))
  for (const inner of listAt(tool, 'tools')) addTool(counts, inner)
}

function addText(list: string[], text: unknown): void {
  if (typeof text === 'string' && text !== '') list.push(text)
}

function listAt(value: JsonObject, key: string): readonly unknown[] {
  const inner = value[key]
  return Array.isArray(inner) ? inner : []
}
