import { isObject, type JsonObject } from '../../../json.ts'
import { fieldAt, isTwice, listField, toNumber } from './fields.ts'

/**
 * The type of every documented field, in either spelling, checked before anything is charged. Unknown fields stay in the body untouched.
 * Source: https://ai.google.dev/api/generate-content
 */
const FIELDS = {
  systemInstruction: 'an object or a string',
  tools: 'an array',
  toolConfig: 'an object',
  safetySettings: 'an array',
  generationConfig: 'an object',
  cachedContent: 'a string',
  labels: 'an object',
  serviceTier: 'a string',
} as const

const CONFIG_FIELDS = {
  stopSequences: 'an array',
  candidateCount: 'an integer',
  maxOutputTokens: 'an integer',
  temperature: 'a number',
  topP: 'a number',
  topK: 'a number',
  seed: 'an integer',
  presencePenalty: 'a number',
  frequencyPenalty: 'a number',
  responseLogprobs: 'a boolean',
  logprobs: 'an integer',
  responseMimeType: 'a string',
  responseSchema: 'an object',
  responseModalities: 'an array',
  thinkingConfig: 'an object',
  speechConfig: 'an object',
  imageConfig: 'an object',
  mediaResolution: 'a string',
} as const

type Kind = (typeof FIELDS)[keyof typeof FIELDS] | (typeof CONFIG_FIELDS)[keyof typeof CONFIG_FIELDS]

const MATCHES = {
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a number': (value: unknown) => toNumber(value) !== undefined,
  'an integer': (value: unknown) => Number.isSafeInteger(toNumber(value)),
  'a string': (value: unknown) => typeof value === 'string',
  'an object': isObject,
  // Protobuf accepts a single entry for a list of one.
  'an array': (value: unknown) => Array.isArray(value) || isObject(value),
  'an object or a string': (value: unknown) => isObject(value) || typeof value === 'string',
} as const satisfies Record<Kind, (value: unknown) => boolean>

/** The fault of a field, in one sentence that names the field. */
export type FieldFault = { readonly field: string; readonly detail: string }

const fault = (field: string, kind: string): FieldFault => ({ field, detail: `field ${field} must be ${kind}` })

/** The first field of the wrong type, in the order of the tables, then of the contents. */
export function findFault(body: JsonObject): FieldFault | undefined {
  const found = findIn(body, FIELDS, '') ?? findIn(fieldAt(body, 'generationConfig'), CONFIG_FIELDS, 'generationConfig.')
  return found ?? findContentsFault(body, 'contents') ?? findToolFault(body) ?? findRangeFault(fieldAt(body, 'generationConfig'))
}

/** Checks a list of contents, which must not be empty. */
export function findContentsFault(body: JsonObject, name: string): FieldFault | undefined {
  const contents = fieldAt(body, name)
  if (contents === undefined) return { field: name, detail: `field ${name} is required` }
  if (!Array.isArray(contents) && !isObject(contents)) return fault(name, 'an array')
  const list = listField(body, name)
  if (list.length === 0) return { field: name, detail: `field ${name} is required` }
  for (const [index, content] of list.entries()) {
    const found = findContentFault(content, `${name}[${index}]`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Checks one content and its parts. */
export function findContentFault(content: unknown, path: string): FieldFault | undefined {
  if (!isObject(content)) return fault(path, 'an object')
  const { role } = content
  if (role !== undefined && role !== null && typeof role !== 'string') return fault(`${path}.role`, 'a string')
  const parts = fieldAt(content, 'parts')
  if (parts !== undefined && !Array.isArray(parts) && !isObject(parts)) return fault(`${path}.parts`, 'an array')
  for (const [index, part] of listField(content, 'parts').entries()) {
    const found = findPartFault(part, `${path}.parts[${index}]`)
    if (found !== undefined) return found
  }
  return undefined
}

const PART_OBJECTS = ['inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult'] as const

function findPartFault(part: unknown, path: string): FieldFault | undefined {
  if (!isObject(part)) return fault(path, 'an object')
  const text = fieldAt(part, 'text')
  if (text !== undefined && typeof text !== 'string') return fault(`${path}.text`, 'a string')
  for (const name of PART_OBJECTS) {
    const value = fieldAt(part, name)
    if (value !== undefined && !isObject(value)) return fault(`${path}.${name}`, 'an object')
  }
  const data = fieldAt(fieldAt(part, 'inlineData'), 'data')
  if (data !== undefined && typeof data !== 'string') return fault(`${path}.inlineData.data`, 'a string')
  for (const name of ['functionCall', 'functionResponse']) {
    const called = fieldAt(part, name)
    if (called !== undefined && typeof fieldAt(called, 'name') !== 'string') return fault(`${path}.${name}.name`, 'a string')
  }
  return undefined
}

function findToolFault(body: JsonObject): FieldFault | undefined {
  for (const [index, tool] of listField(body, 'tools').entries()) {
    const path = `tools[${index}]`
    if (!isObject(tool)) return fault(path, 'an object')
    for (const [at, declared] of listField(tool, 'functionDeclarations').entries()) {
      const inner = `${path}.functionDeclarations[${at}]`
      if (!isObject(declared)) return fault(inner, 'an object')
      if (typeof declared['name'] !== 'string') return fault(`${inner}.name`, 'a string')
    }
  }
  return undefined
}

function findIn(value: unknown, fields: Readonly<Record<string, Kind>>, prefix: string): FieldFault | undefined {
  for (const [field, kind] of Object.entries(fields)) {
    const inner = fieldAt(value, field)
    if (inner === undefined) continue
    if (!MATCHES[kind](inner)) return fault(`${prefix}${field}`, kind)
    if (isTwice(value, field)) return { field: `${prefix}${field}`, detail: `field ${prefix}${field} is given in two spellings` }
  }
  return undefined
}

function findRangeFault(config: unknown): FieldFault | undefined {
  const limit = toNumber(fieldAt(config, 'maxOutputTokens'))
  if (limit !== undefined && (limit < 0 || limit > 2 ** 30))
    return { field: 'generationConfig.maxOutputTokens', detail: 'maxOutputTokens is invalid' }
  const count = toNumber(fieldAt(config, 'candidateCount'))
  if (count !== undefined && (count < 0 || count > 128))
    return { field: 'generationConfig.candidateCount', detail: 'candidateCount is invalid' }
  return undefined
}
