import type { PricedAsk } from '@tollgate/contracts/quote'
import type { InputClasses } from '../../conversation/words.ts'
import { isObject, textAt, type JsonObject } from '../../json.ts'
import { fieldAt, listField, objectField, textField, textsField } from './fields.ts'

export type PromptFacts = {
  readonly texts: readonly string[]
  readonly tool_texts: readonly string[]
  readonly extra_tokens: number
  readonly classes: InputClasses
  readonly priced?: PricedAsk
}

const PER_CONTENT = 3
const PER_TOOL = 8
/** Default resolution of an image: https://ai.google.dev/gemini-api/docs/media-resolution */
const PER_IMAGE = 1120
const PER_FILE = 5000
/** 32 tokens a second (https://ai.google.dev/gemini-api/docs/audio), of sound that is coded at 16 KB a second. */
const BYTES_PER_AUDIO_TOKEN = 500
const LEAST_PER_AUDIO = 100

type Draft = { texts: string[]; tool_texts: string[]; extra: number; audio: boolean; images: boolean }

/** Collects what of a checked body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject, model = ''): PromptFacts {
  const draft: Draft = { texts: [], tool_texts: [], extra: 0, audio: false, images: false }
  const system = fieldAt(body, 'systemInstruction')
  if (typeof system === 'string') draft.texts.push(system)
  else if (system !== undefined) addContent(draft, system)
  for (const content of listField(body, 'contents')) addContent(draft, content)
  for (const tool of listField(body, 'tools')) for (const declared of listField(tool, 'functionDeclarations')) addTool(draft, declared)
  const config = objectField(body, 'generationConfig')
  for (const name of ['responseSchema', 'responseJsonSchema']) {
    const schema = fieldAt(config, name)
    if (isObject(schema)) draft.tool_texts.push(JSON.stringify(schema))
  }
  const { texts, tool_texts, extra, audio, images } = draft
  const isDrawing = textsField(config, 'responseModalities').some((name) => name.toUpperCase() === 'IMAGE') || model.includes('image')
  const classes = { audio, images, cache_write: false, ...(isDrawing ? { image_out: true } : {}) }
  return { texts, tool_texts, extra_tokens: extra, classes, ...pricedIn(body) }
}

/** https://ai.google.dev/gemini-api/docs/pricing#grounding */
function pricedIn(body: JsonObject): { priced?: PricedAsk } {
  const isSearch = (tool: unknown) => ['googleSearch', 'googleSearchRetrieval'].some((name) => fieldAt(tool, name) !== undefined)
  return listField(body, 'tools').some(isSearch) ? { priced: { tools: [{ name: 'google_search' }] } } : {}
}

function addContent(draft: Draft, content: unknown): void {
  draft.extra += PER_CONTENT
  for (const part of listField(content, 'parts')) addPart(draft, part)
}

function addPart(draft: Draft, part: unknown): void {
  const text = textAt(part, 'text')
  if (text !== undefined) draft.texts.push(text)
  const inline = objectField(part, 'inlineData')
  const linked = objectField(part, 'fileData')
  const type = textField(inline, 'mimeType') ?? textField(linked, 'mimeType')
  if (type !== undefined || textField(linked, 'fileUri') !== undefined) addMedia(draft, type ?? '', textAt(inline, 'data') ?? '')
  const call = objectField(part, 'functionCall')
  const result = objectField(part, 'functionResponse')
  for (const called of [call, result]) {
    const name = textAt(called, 'name')
    if (name !== undefined) draft.tool_texts.push(name)
  }
  for (const value of [call['args'], result['response']]) if (isObject(value)) draft.tool_texts.push(JSON.stringify(value))
  for (const inner of listField(result, 'parts')) addPart(draft, inner)
  const code = textAt(objectField(part, 'executableCode'), 'code')
  const output = textAt(objectField(part, 'codeExecutionResult'), 'output')
  for (const value of [code, output]) if (value !== undefined) draft.tool_texts.push(value)
}

function addMedia(draft: Draft, type: string, data: string): void {
  if (type.startsWith('image/')) {
    draft.images = true
    draft.extra += PER_IMAGE
  } else if (type.startsWith('audio/')) {
    draft.audio = true
    draft.extra += Math.max(LEAST_PER_AUDIO, Math.ceil((data.length * 3) / 4 / BYTES_PER_AUDIO_TOKEN))
  } else draft.extra += PER_FILE
}

function addTool(draft: Draft, tool: unknown): void {
  draft.extra += PER_TOOL
  for (const text of [textAt(tool, 'name'), textAt(tool, 'description')]) if (text !== undefined) draft.tool_texts.push(text)
  for (const name of ['parameters', 'parametersJsonSchema']) {
    const schema = fieldAt(tool, name)
    if (isObject(schema)) draft.tool_texts.push(JSON.stringify(schema))
  }
}
