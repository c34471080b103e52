import type { ModelAsk } from '../../conversation/ask.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'

type PromptFacts = Pick<ModelAsk, 'texts' | 'tool_texts' | 'extra_tokens' | 'classes'>

/** Frame of an item and of the whole prompt, as for chat messages. */
const PER_ITEM = 4
const PER_PROMPT = 3
const PER_TOOL = 8
/** Nobody measures media before the call: typical sizes, so that the hold is of the right order. */
const PER_AUDIO = 100
const PER_FILE = 5000
const IMAGE = { low: 85, high: 765 } as const

type Draft = { texts: string[]; tool_texts: string[]; extra: number; audio: boolean; images: boolean; cache_write: boolean }

/** Collects what of a checked Responses body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject): PromptFacts {
  const draft: Draft = { texts: [], tool_texts: [], extra: PER_PROMPT, audio: false, images: false, cache_write: false }
  const { input } = body
  addText(draft.texts, body['instructions'])
  if (typeof input === 'string') addItem(draft, { content: input })
  else for (const item of listAt(body, 'input')) addItem(draft, item)
  for (const tool of listAt(body, 'tools')) addTool(draft, tool)
  const format = objectAt(body, 'text')['format']
  if (isObject(format) && isObject(format['schema'])) draft.tool_texts.push(JSON.stringify(format['schema']))
  const { texts, tool_texts, extra, audio, images, cache_write } = draft
  return { texts, tool_texts, extra_tokens: extra, classes: { audio, images, cache_write } }
}

function addItem(draft: Draft, item: unknown): void {
  if (!isObject(item)) return
  draft.extra += PER_ITEM
  for (const list of [item['content'], item['output'], item['summary']]) {
    if (typeof list === 'string') addText(draft.texts, list)
    else if (Array.isArray(list)) for (const part of list) addPart(draft, part)
  }
  for (const key of ['name', 'arguments', 'input']) addText(draft.tool_texts, item[key])
}

function addPart(draft: Draft, part: unknown): void {
  if (!isObject(part)) return
  if (part['prompt_cache_breakpoint'] !== undefined) draft.cache_write = true
  addText(draft.texts, part['text'])
  addText(draft.texts, part['refusal'])
  const type = part['type']
  if (type === 'input_image' || type === 'computer_screenshot') {
    draft.images = true
    draft.extra += part['detail'] === 'low' ? IMAGE.low : IMAGE.high
  } else if (type === 'input_audio') {
    draft.audio = true
    draft.extra += PER_AUDIO
  } else if (type === 'input_file') draft.extra += PER_FILE
}

function addTool(draft: Draft, tool: unknown): void {
  if (!isObject(tool)) return
  draft.extra += PER_TOOL
  for (const key of ['name', 'description']) addText(draft.tool_texts, textAt(tool, key))
  if (isObject(tool['parameters'])) draft.tool_texts.push(JSON.stringify(tool['parameters']))
  for (const inner of listAt(tool, 'tools')) addTool(draft, inner)
}

function addText(list: string[], text: unknown): void {
  if (typeof text === 'string' && text !== '') list.push(text)
}

function listAt(value: JsonObject, key: string): readonly unknown[] {
  const inner = value[key]
  return Array.isArray(inner) ? inner : []
}
