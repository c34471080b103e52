import { FILE_TOKENS, PromptCounter, type PromptFacts } from '../../prompt-counter.ts'
import { isObject, listAt, objectAt, type JsonObject } from '../../../json.ts'

/** Frame of a message: two tokens and its role. */
const PER_MESSAGE = 3
const PER_TOOL = 3
/** A typical size: images are not measured before the call. */
const IMAGE_TOKENS = 1000

/** Counts the prompt of a checked Messages body. Reads the body directly because decoding it first is many times slower. */
export function promptOf(body: JsonObject): PromptFacts {
  const counter = new PromptCounter(0)
  noteCache(counter, body)
  addContent(counter, body['system'])
  for (const message of listAt(body, 'messages')) {
    counter.extra_tokens += PER_MESSAGE
    if (isObject(message)) addContent(counter, message['content'])
  }
  for (const tool of listAt(body, 'tools')) addTool(counter, tool)
  counter.addToolJson(objectAt(body, 'output_format')['schema'])
  counter.addToolJson(objectAt(objectAt(body, 'output_config'), 'format')['schema'])
  return counter.facts()
}

function addContent(counter: PromptCounter, content: unknown): void {
  if (typeof content === 'string') counter.addText(content)
  else if (Array.isArray(content)) for (const block of content) addBlock(counter, block)
}

function addBlock(counter: PromptCounter, block: unknown): void {
  if (!isObject(block)) return
  noteCache(counter, block)
  const { type } = block
  if (type === 'image') counter.addMedia('image', IMAGE_TOKENS)
  else if (type === 'document') addDocument(counter, block)
  else if (type === 'container_upload') counter.addMedia('file', FILE_TOKENS)
  else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
    counter.addToolText(block['name'])
    counter.addToolJson(block['input'])
  } else {
    counter.addText(block['text'])
    counter.addText(block['thinking'])
    counter.addText(block['title'])
    addContent(counter, block['content'])
  }
}

function addDocument(counter: PromptCounter, block: JsonObject): void {
  const source = objectAt(block, 'source')
  counter.addText(block['title'])
  counter.addText(block['context'])
  if (source['type'] === 'text') counter.addText(source['data'])
  else if (source['type'] === 'content') addContent(counter, source['content'])
  else counter.addMedia('file', FILE_TOKENS)
}

function addTool(counter: PromptCounter, tool: unknown): void {
  if (!isObject(tool)) return
  noteCache(counter, tool)
  counter.extra_tokens += PER_TOOL
  counter.addToolText(tool['name'])
  counter.addToolText(tool['description'])
  counter.addToolJson(tool['input_schema'])
}

function noteCache(counter: PromptCounter, { cache_control }: JsonObject): void {
  if (isObject(cache_control)) counter.cache_write = true
}
