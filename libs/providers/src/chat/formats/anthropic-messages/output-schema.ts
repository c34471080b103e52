import { isObject, type JsonObject } from '../../../json.ts'

/**
 * Limits that the vendor's grammar does not support and refuses:
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
const REFUSED = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'not',
  'if',
  'then',
  'else',
])
const KEPT_OBJECTS = new Set(['properties', '$defs', 'definitions'])

/** A schema that structured output accepts: objects are closed, unsupported limits removed. `isReduced` if a limit was removed. */
export function toOutputSchema(schema: JsonObject): { readonly schema: JsonObject; readonly isReduced: boolean } {
  let isReduced = false
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    return isObject(value) ? visitSchema(value) : value
  }
  const visitSchema = (node: JsonObject): JsonObject => {
    const kept: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(node)) {
      const isRefused = REFUSED.has(key) || (key === 'minItems' && typeof value === 'number' && value > 1)
      if (isRefused) isReduced = true
      else if (key === 'oneOf') kept['anyOf'] = walk(value)
      else if (KEPT_OBJECTS.has(key) && isObject(value)) kept[key] = visitNamed(value)
      else kept[key] = key === 'enum' || key === 'const' || key === 'default' || key === 'examples' ? value : walk(value)
    }
    const isOpen = node['type'] === 'object' || isObject(node['properties'])
    return isOpen ? { ...kept, additionalProperties: false } : kept
  }
  const visitNamed = (schemas: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, walk(inner)]))
  return { schema: visitSchema(schema), isReduced }
}
