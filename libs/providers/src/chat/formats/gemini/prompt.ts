import { FILE_TOKENS, PromptCounter, type PromptFacts as Counted } from '../../prompt-counter.ts'
import type { ModelRequest } from '../../model-request.ts'
import { textAt, type JsonObject } from '../../../json.ts'
import { mediaKindOf } from './decode-parts.ts'
import { fieldAt, listField, objectField, textField, textsField } from './fields.ts'

export type PromptFacts = Counted & Pick<ModelRequest, 'priced'>

const PER_CONTENT = 3
const PER_TOOL = 8
/** An image in the default resolution: https://ai.google.dev/gemini-api/docs/media-resolution */
const IMAGE_TOKENS = 1120
/** 32 tokens a second (https://ai.google.dev/gemini-api/docs/audio), of audio that is encoded at 16 KB a second. */
const BYTES_PER_AUDIO_TOKEN = 500
const MIN_AUDIO_TOKENS = 100

/** Counts the prompt of a checked body. Reads the body directly because decoding it first is many times slower. */
export function promptOf(body: JsonObject, model = ''): PromptFacts {
  const counter = new PromptCounter(0)
  const system = fieldAt(body, 'systemInstruction')
  if (typeof system === 'string') counter.texts.push(system)
  else if (system !== undefined) addContent(counter, system)
  for (const content of listField(body, 'contents')) addContent(counter, content)
  for (const tool of listField(body, 'tools')) for (const declared of listField(tool, 'functionDeclarations')) addTool(counter, declared)
  const config = objectField(body, 'generationConfig')
  for (const name of ['responseSchema', 'responseJsonSchema']) counter.addToolJson(fieldAt(config, name))
  const makesImages = textsField(config, 'responseModalities').some((name) => name.toUpperCase() === 'IMAGE') || model.includes('image')
  const facts = counter.facts()
  return { ...facts, classes: { ...facts.classes, ...(makesImages ? { image_out: true } : {}) }, ...pricedIn(body) }
}

/** https://ai.google.dev/gemini-api/docs/pricing#grounding */
function pricedIn(body: JsonObject): Pick<ModelRequest, 'priced'> {
  const isSearch = (tool: unknown) => ['googleSearch', 'googleSearchRetrieval'].some((name) => fieldAt(tool, name) !== undefined)
  return listField(body, 'tools').some(isSearch) ? { priced: { tools: [{ name: 'google_search' }] } } : {}
}

function addContent(counter: PromptCounter, content: unknown): void {
  counter.extra_tokens += PER_CONTENT
  for (const part of listField(content, 'parts')) addPart(counter, part)
}

function addPart(counter: PromptCounter, part: unknown): void {
  counter.addText(textAt(part, 'text'))
  const inline = objectField(part, 'inlineData')
  const linked = objectField(part, 'fileData')
  const type = textField(inline, 'mimeType') ?? textField(linked, 'mimeType')
  if (type !== undefined || textField(linked, 'fileUri') !== undefined) addMedia(counter, type ?? '', textAt(inline, 'data') ?? '')
  const call = objectField(part, 'functionCall')
  const result = objectField(part, 'functionResponse')
  counter.addToolText(call['name'])
  counter.addToolText(result['name'])
  counter.addToolJson(call['args'])
  counter.addToolJson(result['response'])
  for (const inner of listField(result, 'parts')) addPart(counter, inner)
  counter.addToolText(objectField(part, 'executableCode')['code'])
  counter.addToolText(objectField(part, 'codeExecutionResult')['output'])
}

function addMedia(counter: PromptCounter, type: string, data: string): void {
  const kind = mediaKindOf(type)
  if (kind === 'image') counter.addMedia('image', IMAGE_TOKENS)
  else if (kind === 'audio') {
    counter.addMedia('audio', Math.max(MIN_AUDIO_TOKENS, Math.ceil((data.length * 3) / 4 / BYTES_PER_AUDIO_TOKEN)))
  } else counter.addMedia('file', FILE_TOKENS)
}

function addTool(counter: PromptCounter, tool: unknown): void {
  counter.extra_tokens += PER_TOOL
  counter.addToolText(textAt(tool, 'name'))
  counter.addToolText(textAt(tool, 'description'))
  for (const name of ['parameters', 'parametersJsonSchema']) counter.addToolJson(fieldAt(tool, name))
}
