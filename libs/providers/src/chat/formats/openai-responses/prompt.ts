import { AUDIO_TOKENS, FILE_TOKENS, PromptCounter, type PromptFacts } from '../../prompt-counter.ts'
import { isObject, listAt, objectAt, type JsonObject } from '../../../json.ts'
import { MEDIA_PARTS } from './decode-parts.ts'

/** Frame of an item and of the whole prompt, as for chat messages. */
const PER_ITEM = 4
const PER_PROMPT = 3
const PER_TOOL = 8
const IMAGE_TOKENS = { low: 85, high: 765 } as const

/** Counts the prompt of a checked Responses body. Reads the body directly because decoding it first is many times slower. */
export function promptOf(body: JsonObject): PromptFacts {
  const counter = new PromptCounter(PER_PROMPT)
  const { input } = body
  counter.addText(body['instructions'])
  if (typeof input === 'string') addItem(counter, { content: input })
  else for (const item of listAt(body, 'input')) addItem(counter, item)
  for (const tool of listAt(body, 'tools')) addTool(counter, tool)
  counter.addToolJson(objectAt(objectAt(body, 'text'), 'format')['schema'])
  return counter.facts()
}

function addItem(counter: PromptCounter, item: unknown): void {
  if (!isObject(item)) return
  counter.extra_tokens += PER_ITEM
  for (const list of [item['content'], item['output'], item['summary']]) {
    if (typeof list === 'string') counter.addText(list)
    else if (Array.isArray(list)) for (const part of list) addPart(counter, part)
  }
  for (const tool of listAt(item, 'tools')) addTool(counter, tool)
  for (const key of ['name', 'arguments', 'input']) counter.addToolText(item[key])
  for (const key of ['action', 'operation']) counter.addToolJson(item[key])
}

function addPart(counter: PromptCounter, part: unknown): void {
  if (!isObject(part)) return
  if (part['prompt_cache_breakpoint'] !== undefined) counter.cache_write = true
  counter.addText(part['text'])
  counter.addText(part['refusal'])
  const media = MEDIA_PARTS.get(part['type'])?.media
  if (media === 'image') counter.addMedia(media, part['detail'] === 'low' ? IMAGE_TOKENS.low : IMAGE_TOKENS.high)
  else if (media !== undefined) counter.addMedia(media, media === 'audio' ? AUDIO_TOKENS : FILE_TOKENS)
}

function addTool(counter: PromptCounter, tool: unknown): void {
  if (!isObject(tool)) return
  counter.extra_tokens += PER_TOOL
  counter.addToolText(tool['name'])
  counter.addToolText(tool['description'])
  counter.addToolJson(tool['parameters'])
  for (const inner of listAt(tool, 'tools')) addTool(counter, inner)
}
