import { AUDIO_TOKENS, FILE_TOKENS, PromptCounter, type PromptFacts } from '../../prompt-counter.ts'
import { isObject, listAt, objectAt, type JsonObject } from '../../../json.ts'
import { MEDIA_PARTS } from './decode-parts.ts'
import { standardFormat } from './grammar-format.ts'
import { REASONING_FIELD } from './reasoning-field.ts'

/** Frame of a message and of the whole prompt, as published: https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken */
const PER_MESSAGE = 3
const PER_PROMPT = 3
const PER_NAME = 1
const PER_TOOL = 8
const IMAGE_TOKENS = { low: 85, high: 765 } as const
/** This model counts images 33 times as much: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const EXPENSIVE_IMAGES = /^gpt-4o-mini/
const EXPENSIVE_IMAGE_FACTOR = 33

/** Counts the prompt of a checked chat body. Reads the body directly because decoding it first is many times slower. */
export function promptOf(body: JsonObject, model: string): PromptFacts {
  const counter = new PromptCounter(PER_PROMPT)
  const imageFactor = EXPENSIVE_IMAGES.test(model) ? EXPENSIVE_IMAGE_FACTOR : 1
  for (const message of listAt(body, 'messages')) addMessage(counter, message, imageFactor)
  for (const tool of listAt(body, 'tools')) addTool(counter, isObject(tool) && isObject(tool['function']) ? tool['function'] : tool)
  for (const tool of listAt(body, 'functions')) addTool(counter, tool)
  const { response_format } = body
  counter.addToolJson((standardFormat(response_format) ?? objectAt(body, 'response_format'))['json_schema'])
  return counter.facts()
}

function addMessage(counter: PromptCounter, message: unknown, imageFactor: number): void {
  if (!isObject(message)) return
  counter.extra_tokens += PER_MESSAGE + 1
  counter.addText(message['name'], PER_NAME)
  counter.addText(message['refusal'])
  counter.addText(message[REASONING_FIELD])
  const { content } = message
  if (typeof content === 'string') counter.texts.push(content)
  else if (Array.isArray(content)) for (const part of content) addPart(counter, part, imageFactor)
  for (const call of listAt(message, 'tool_calls')) addCall(counter, objectAt(call, 'function'))
  addCall(counter, objectAt(message, 'function_call'))
}

function addPart(counter: PromptCounter, part: unknown, imageFactor: number): void {
  if (!isObject(part)) return
  if (part['cache_control'] !== undefined) {
    counter.cache_write = true
    if (objectAt(part, 'cache_control')['ttl'] === '1h') counter.cache_write_1h = true
  }
  counter.addText(part['text'])
  counter.addText(part['refusal'])
  const media = MEDIA_PARTS.get(part['type'])?.media
  if (media === 'image') {
    const tokens = objectAt(part, 'image_url')['detail'] === 'low' ? IMAGE_TOKENS.low : IMAGE_TOKENS.high
    counter.addMedia(media, tokens * imageFactor)
  } else if (media !== undefined) counter.addMedia(media, media === 'audio' ? AUDIO_TOKENS : FILE_TOKENS)
}

function addCall(counter: PromptCounter, call: JsonObject): void {
  counter.addToolText(call['name'])
  counter.addToolText(call['arguments'])
}

function addTool(counter: PromptCounter, tool: unknown): void {
  if (!isObject(tool)) return
  counter.extra_tokens += PER_TOOL
  counter.addToolText(tool['name'])
  counter.addToolText(tool['description'])
  counter.addToolJson(tool['parameters'])
}
