import type { InputClasses } from '../../conversation/words.ts'
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

type Draft = { texts: string[]; tool_texts: string[]; extra: number; images: boolean; cache_write: boolean }

/** Collects what of a checked body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject): PromptFacts {
  const draft: Draft = { texts: [], tool_texts: [], extra: 0, images: false, cache_write: false }
  noteCache(draft, body)
  addContent(draft, body['system'])
  for (const message of listAt(body, 'messages')) {
    draft.extra += PER_MESSAGE
    if (isObject(message)) addContent(draft, message['content'])
  }
  const tools = listAt(body, 'tools')
  if (tools.length > 0) draft.extra += PER_TOOL_LIST
  for (const tool of tools) addTool(draft, tool)
  for (const format of [objectAt(body, 'output_format'), objectAt(objectAt(body, 'output_config'), 'format')]) {
    if (isObject(format['schema'])) draft.tool_texts.push(JSON.stringify(format['schema']))
  }
  const { texts, tool_texts, extra, images, cache_write } = draft
  return { texts, tool_texts, extra_tokens: extra, classes: { audio: false, images, cache_write } }
}

function addContent(draft: Draft, content: unknown): void {
  if (typeof content === 'string') addText(draft, content)
  else if (Array.isArray(content)) for (const block of content) addBlock(draft, block)
}

function addBlock(draft: Draft, block: unknown): void {
  if (!isObject(block)) return
  noteCache(draft, block)
  const { type } = block
  if (type === 'image') {
    draft.images = true
    draft.extra += PER_IMAGE
  } else if (type === 'document') addDocument(draft, block)
  else if (type === 'container_upload') draft.extra += PER_FILE
  else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') addCall(draft, block)
  else {
    addText(draft, block['text'])
    addText(draft, block['thinking'])
    addText(draft, block['title'])
    addContent(draft, block['content'])
  }
}

function addDocument(draft: Draft, block: JsonObject): void {
  const source = objectAt(block, 'source')
  addText(draft, block['title'])
  addText(draft, block['context'])
  if (source['type'] === 'text') addText(draft, source['data'])
  else if (source['type'] === 'content') addContent(draft, source['content'])
  else draft.extra += PER_FILE
}

function addCall(draft: Draft, { name, input }: JsonObject): void {
  if (typeof name === 'string') draft.tool_texts.push(name)
  if (isObject(input)) draft.tool_texts.push(JSON.stringify(input))
}

function addTool(draft: Draft, tool: unknown): void {
  if (!isObject(tool)) return
  noteCache(draft, tool)
  draft.extra += PER_TOOL
  for (const text of [tool['name'], tool['description']]) if (typeof text === 'string') draft.tool_texts.push(text)
  if (isObject(tool['input_schema'])) draft.tool_texts.push(JSON.stringify(tool['input_schema']))
}

function noteCache(draft: Draft, { cache_control }: JsonObject): void {
  if (isObject(cache_control)) draft.cache_write = true
}

function addText(draft: Draft, text: unknown): void {
  if (typeof text === 'string' && text !== '') draft.texts.push(text)
}

function listAt(value: JsonObject, key: string): readonly unknown[] {
  const inner = value[key]
  return Array.isArray(inner) ? inner : []
}
