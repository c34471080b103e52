import { listContents, type CarriedContext, type Content } from '../../content.ts'
import type { Part } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { decodePart, decodeSystem } from './decode-parts.ts'
import { fieldAt, listField, objectField, textField, textsField } from './fields.ts'

/** Contents of a checked body besides text, for vendors that cannot carry all of it. */
export function geminiContents(body: JsonObject): Content[] {
  const contents = listField(body, 'contents').flatMap((content, index) => {
    const place = textField(content, 'role') === 'model' ? 'assistant' : 'user'
    return listContents(listField(content, 'parts'), { path: `contents[${index}].parts`, place }, partsIn)
  })
  const instruction = fieldAt(body, 'systemInstruction')
  const system = listContents(listField(instruction, 'parts'), { path: 'systemInstruction.parts', place: 'system' }, (part) =>
    decodeSystem({ parts: [part] }).flatMap(({ parts }) => parts),
  )
  const asked = textsField(objectField(body, 'generationConfig'), 'responseModalities').map((name) => name.toLowerCase())
  const outputs = (['audio', 'image'] as const).filter((modality) => asked.includes(modality))
  const path = 'generationConfig.responseModalities'
  return [...system, ...contents, ...outputs.map((modality): Content => ({ path, place: 'user', wants: { kind: 'output', modality } }))]
}

/** Media of a function's result are parts of the result. */
function partsIn(part: JsonObject): Part[] {
  return decodePart(part).flatMap((one): readonly Part[] => (one.kind === 'tool-result' ? one.content : [one]))
}

/** True if a vendor of this format receives it: the same decisions as in `encode-parts.ts` and `encode-config.ts`. */
export function geminiCarries({ place, wants }: Content, { model }: CarriedContext): boolean {
  if (wants.kind === 'vendor-specific') return wants.by === 'gemini'
  if (wants.kind === 'output') return wants.modality === 'image' || /tts|audio/.test(model)
  if (!('source' in wants)) return true
  if (place === 'system' || place === 'developer') return false
  return wants.source.kind !== 'file' || wants.source.by === 'gemini'
}
