import { isObject, objectAt, type JsonObject } from '../../../json.ts'
import { toOutputSchema } from './output-schema.ts'

export type InputSchema = { readonly schema: JsonObject; readonly isReduced: boolean }

/**
 * A tool schema that the vendor accepts: an object without `anyOf`, `oneOf` or `allOf` at its top, which the vendor refuses
 * (https://github.com/anthropics/claude-code/issues/5973). The alternatives are merged; fields that all of them require stay required. A
 * strict schema also has the limits of structured outputs.
 */
export function toInputSchema(schema: JsonObject | undefined, isStrict: boolean): InputSchema {
  const given: JsonObject = { type: 'object', ...(schema ?? { properties: {} }) }
  const { oneOf, anyOf, allOf, ...rest } = given
  const choices = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) && list.length > 0 ? [list.filter(isObject)] : []))
  const parts = Array.isArray(allOf) ? allOf.filter(isObject) : []
  const isReduced = choices.length > 0 || parts.length > 0
  const flat = isReduced ? flatten(rest, choices, parts) : rest
  if (!isStrict) return { schema: flat, isReduced }
  const limited = toOutputSchema(flat)
  return { schema: limited.schema, isReduced: isReduced || limited.isReduced }
}

function flatten(rest: JsonObject, choices: readonly (readonly JsonObject[])[], parts: readonly JsonObject[]): JsonObject {
  const all = [...choices.flat(), ...parts, rest]
  const properties = Object.fromEntries(all.flatMap((part) => Object.entries(objectAt(part, 'properties'))))
  const shared = choices.flatMap(([first, ...others]) =>
    namesOf(first).filter((name) => others.every((other) => namesOf(other).includes(name))),
  )
  const required = new Set([...namesOf(rest), ...parts.flatMap(namesOf), ...shared])
  return { ...rest, properties, ...(required.size === 0 ? {} : { required: [...required] }) }
}

function namesOf(part: JsonObject | undefined): string[] {
  const required = part?.['required']
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
