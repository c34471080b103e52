import type { PricedExtras } from '@tollgate/contracts/quote'
import type { InputClasses } from '../../chat/answer-facts.ts'
import { isObject, textAt, type JsonObject } from '../../json.ts'
import { fieldAt, listField, objectField, textField, textsField } from './fields.ts'

export type PromptFacts = {
  readonly texts: readonly string[]
  readonly tool_texts: readonly string[]
  readonly extra_tokens: number
  readonly classes: InputClasses
  readonly priced?: PricedExtras
}

const PER_CONTENT = 3
const PER_TOOL = 8
/** Default resolution of an image: https://ai.google.dev/gemini-api/docs/media-resolution */
const PER_IMAGE = 1120
const PER_FILE = 5000
/** 32 tokens a second (https://ai.google.dev/gemini-api/docs/audio), of sound that is coded at 16 KB a second. */
const BYTES_PER_AUDIO_TOKEN = 500
const LEAST_PER_AUDIO = 100

type Counts = { texts: string[]; tool_texts: string[]; extra: number; audio: boolean; images: boolean }

/** Collects what of a checked body counts as prompt. Strings are referred to, never copied. */
export function promptOf(body: JsonObject, model = ''): PromptFacts {
  const counts: Counts = { texts: [], tool_texts: [], extra: 0, audio: false, images: false }
  const system = fieldAt(body, 'systemInstruction')
  if (typeof system === 'string') counts.texts.push(system)
  else if (system !== undefined) addContent(counts, system)
  for (const content of listField(body, 'contents')) addContent(counts, content)
  for (const tool of listField(body, 'tools')) for (const declared of listField(tool, 'functionDeclarations')) addTool(counts, declared)
  const config = objectField(body, 'generationConfig')
  for (const name of ['responseSchema', 'responseJsonSchema']) {
    const schema = fieldAt(config, name)
    if (isObject(schema)) counts.tool_texts.push(JSON.stringify(schema))
  }
  const { texts, tool_texts, extra, audio, images } = counts
  const isDrawing = textsField(config, 'responseModalities').some((name) => name.toUpperCase() === 'IMAGE') || model.includes('image')
  const classes = { audio, images, cache_write: false, ...(isDrawing ? { image_out: true } : {}) }
  return { texts, tool_texts, extra_tokens: extra, classes, ...pricedIn(body) }
}

/** https://ai.google.dev/gemini-api/docs/pricing#grounding */
function pricedIn(body: JsonObject): { priced?: PricedExtras } {
  const isSearch = (tool: unknown) => ['googleSearch', 'googleSearchRetrieval'].some((name) => fieldAt(tool, name) !== undefined)
  return listField(body, 'tools').some(isSearch) ? { priced: { tools: [{ name: 'google_search' }] } } : {}
}

function addContent(counts: Counts, content: unknown): void {
  counts.extra += PER_CONTENT
  for (const part of listField(content, 'parts')) addPart(counts, part)
}

function addPart(counts: Counts, part: unknown): void {
  const text = textAt(part, 'text')
  if (text !== undefined) counts.texts.push(text)
  const inline = objectField(part, 'inlineData')
  const linked = objectField(part, 'fileData')
  const type = textField(inline, 'mimeType') ?? textField(linked, 'mimeType')
  if (type !== undefined || textField(linked, 'fileUri') !== undefined) addMedia(counts, type ?? '', textAt(inline, 'data') ?? '')
  const call = objectField(part, 'functionCall')
  const result = objectField(part, 'functionResponse')
  for (const called of [call, result]) {
    const name = textAt(called, 'name')
    if (name !== undefined) counts.tool_texts.push(name)
  }
  for (const value of [call['args'], result['response']]) if (isObject(value)) counts.tool_texts.push(JSON.stringify(value))
  for (const inner of listField(result, 'parts')) addPart(counts, inner)
  const code = textAt(objectField(part, 'executableCode'), 'code')
  const output = textAt(objectField(part, 'codeExecutionResult'), 'output')
  for (const value of [code, output]) if (value !== undefined) counts.tool_texts.push(value)
}

function addMedia(counts: Counts, type: string, data: string): void {
  if (type.startsWith('image/')) {
    counts.images = true
    counts.extra += PER_IMAGE
  } else if (type.startsWith('audio/')) {
    counts.audio = true
    counts.extra += Math.max(LEAST_PER_AUDIO, Math.ceil((data.length * 3) / 4 / BYTES_PER_AUDIO_TOKEN))
  } else counts.extra += PER_FILE
}

function addTool(counts: Counts, tool: unknown): void {
  counts.extra += PER_TOOL
  for (const text of [textAt(tool, 'name'), textAt(tool, 'description')]) if (text !== undefined) counts.tool_texts.push(text)
  for (const name of ['parameters', 'parametersJsonSchema']) {
    const schema = fieldAt(tool, name)
    if (isObject(schema)) counts.tool_texts.push(JSON.stringify(schema))
  }
}
