import type { InputClasses } from '../../chat/answer-facts.ts'
import { isObject, objectAt, type JsonObject } from '../../json.ts'

export type PromptFacts = {
  readonly texts: readonly string[]
  readonly tool_texts: readonly string[]
  readonly extra_tokens: number
  readonly classes: InputClasses
}

/** Frame of a message: two tokens and its role. */
const PER_MESSAGE = 3
const PER_TOOL = 3
/** What the vendor puts before the prompt where there are tools: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing */
const PER_TOOL_LIST = 346
/** Nobody measures media before the call: typical sizes, so that the hold is of the right order. */
const PER_IMAGE = 1000
const PER_FILE = 5000

type Counts = { texts: string[]; tool_texts: string[]; extra: number; images: boolean; cache_write: boolean }

/** Collects what of a checked body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject): PromptFacts {
  const counts: Counts = { texts: [], tool_texts: [], extra: 0, images: false, cache_write: false }
  noteCache(counts, body)
  addContent(counts, body['system'])
  for (const message of listAt(body, 'messages')) {
    counts.extra += PER_MESSAGE
    if (isObject(message)) addContent(counts, message['content'])
  }
  const tools = listAt(body, 'tools')
  if (tools.length > 0) counts.extra += PER_TOOL_LIST
  for (const tool of tools) addTool(counts, tool)
  for (const format of [objectAt(body, 'output_format'), objectAt(objectAt(body, 'output_config'), 'format')]) {
    if (isObject(format['schema'])) counts.tool_texts.push(JSON.stringify(format['schema']))
  }
  const { texts, tool_texts, extra, images, cache_write } = counts
  return { texts, tool_texts, extra_tokens: extra, classes: { audio: false, images, cache_write } }
}

function addContent(counts: Counts, content: unknown): void {
  if (typeof content === 'string') addText(counts, content)
  else if (Array.isArray(content)) for (const block of content) addBlock(counts, block)
}

function addBlock(counts: Counts, block: unknown): void {
  if (!isObject(block)) return
  noteCache(counts, block)
  const { type } = block
  if (type === 'image') {
    counts.images = true
    counts.extra += PER_IMAGE
  } else if (type === 'document') addDocument(counts, block)
  else if (type === 'container_upload') counts.extra += PER_FILE
  else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') addCall(counts, block)
  else {
    addText(counts, block['text'])
    addText(counts, block['thinking'])
    addText(counts, block['title'])
    addContent(counts, block['content'])
  }
}

function addDocument(counts: Counts, block: JsonObject): void {
  const source = objectAt(block, 'source')
  addText(counts, block['title'])
  addText(counts, block['context'])
  if (source['type'] === 'text') addText(counts, source['data'])
  else if (source['type'] === 'content') addContent(counts, source['content'])
  else counts.extra += PER_FILE
}

function addCall(counts: Counts, { name, input }: JsonObject): void {
  if (typeof name === 'string') counts.tool_texts.push(name)
  if (isObject(input)) counts.tool_texts.push(JSON.stringify(input))
}

function addTool(counts: Counts, tool: unknown): void {
  if (!isObject(tool)) return
  noteCache(counts, tool)
  counts.extra += PER_TOOL
  for (const text of [tool['name'], tool['description']]) if (typeof text === 'string') counts.tool_texts.push(text)
  if (isObject(tool['input_schema'])) counts.tool_texts.push(JSON.stringify(tool['input_schema']))
}

function noteCache(counts: Counts, { cache_control }: JsonObject): void {
  if (isObject(cache_control)) counts.cache_write = true
}

function addText(counts: Counts, text: unknown): void {
  if (typeof text === 'string' && text !== '') counts.texts.push(text)
}

function listAt(value: JsonObject, key: string): readonly unknown[] {
  const inner = value[key]
  return Array.isArray(inner) ? inner : []
}
