import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { MARK } from '../gemini/signature.ts'

/** Kinds of content; a list of these is the content of one step of the user. */
const CONTENTS = new Set(['text', 'image', 'audio', 'document', 'video'])

export const isContent = (value: unknown): value is JsonObject => CONTENTS.has(textAt(value, 'type') ?? '')

/** The steps of an input: a text, a content, contents, or steps. */
export function stepsOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }]
  if (isContent(input)) return [{ type: 'user_input', content: [input] }]
  if (!Array.isArray(input)) return []
  return isContent(input[0]) ? [{ type: 'user_input', content: input }] : input
}

/**
 * The steps as contents of `generateContent`. A thought's signature is that of the call after it, where Google's models put it; other
 * vendors sign the thought itself. https://ai.google.dev/api/interactions-api
 */
export function toContents(steps: readonly unknown[]): JsonObject[] {
  const names = new Map(steps.map((step) => [textAt(step, 'id') ?? '', textAt(step, 'name') ?? '']))
  let signature: string | undefined
  return steps.flatMap((step, at): JsonObject[] => {
    if (!isObject(step)) return []
    const given = signature
    signature = undefined
    switch (step['type']) {
      case 'user_input':
        return toTurn('user', listAt(step, 'content').map(toPart))
      case 'model_output':
        return toTurn('model', listAt(step, 'content').map(toPart))
      case 'thought': {
        const own = textAt(step, 'signature')
        const isOfCall = own !== undefined && !own.startsWith(MARK) && textAt(steps[at + 1], 'type') === 'function_call'
        if (isOfCall) signature = own
        return toTurn('model', toThoughts(step, isOfCall ? undefined : own))
      }
      case 'function_call': {
        const { id, name } = step
        const signed = given === undefined ? {} : { thoughtSignature: given }
        return toTurn('model', [{ functionCall: { id, name, args: objectAt(step, 'arguments') }, ...signed }])
      }
      case 'function_result':
        return toTurn('user', [toResult(step, names)])
      default:
        return []
    }
  })
}

const toTurn = (role: 'user' | 'model', parts: JsonObject[]): JsonObject[] => (parts.length === 0 ? [] : [{ role, parts }])

function toThoughts(step: JsonObject, signature: string | undefined): JsonObject[] {
  const text = listAt(step, 'summary')
    .map((content) => textAt(content, 'text') ?? '')
    .join('')
  if (text === '' && signature === undefined) return []
  return [{ text, thought: true, ...(signature === undefined ? {} : { thoughtSignature: signature }) }]
}

function toPart(content: unknown): JsonObject {
  const text = textAt(content, 'text')
  if (text !== undefined) return { text }
  const [data, uri, mime] = [textAt(content, 'data'), textAt(content, 'uri'), textAt(content, 'mime_type')]
  const mimeType = mime === undefined ? {} : { mimeType: mime }
  return data === undefined ? { fileData: { fileUri: uri ?? '', ...mimeType } } : { inlineData: { data, ...mimeType } }
}

function toResult(step: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { result, is_error } = step
  const id = textAt(step, 'call_id') ?? ''
  const contents = Array.isArray(result) ? result : []
  const texts = contents.flatMap((content) => textAt(content, 'text') ?? [])
  const media = contents.filter((content) => textAt(content, 'text') === undefined).map(toPart)
  const output = Array.isArray(result) ? texts.join('\n') : result
  return {
    functionResponse: {
      id,
      name: textAt(step, 'name') ?? names.get(id) ?? '',
      response: is_error === true ? { error: output } : { output },
      ...(media.length === 0 ? {} : { parts: media }),
    },
  }
}
