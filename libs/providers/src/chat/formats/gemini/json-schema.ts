import { isObject, type JsonObject } from '../../../json.ts'
import { depthFor, referred } from './schema-size.ts'

/**
 * Converts between JSON Schema and Google's own schema, a subset of OpenAPI 3.0 with upper-case types.
 * https://ai.google.dev/api/caching#Schema
 */
const SUPPORTED_KEYWORDS = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'items',
  'minimum',
  'maximum',
])
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

/** JSON Schema for `parametersJsonSchema` and `responseJsonSchema`, without `$schema`. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const { $schema: _, ...rest } = schema
  return rest
}

/**
 * Converts JSON Schema to Google's own: references are resolved, unsupported keywords are dropped. Schemas can be recursive; levels below
 * the deepest one that keeps the result small are cut off.
 */
export function toOpenApiSchema(schema: JsonObject): JsonObject {
  return clean(schema, schema, depthFor(schema))
}

function clean(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  if (depth === 0) return { type: 'OBJECT' }
  const { $ref } = schema
  if (typeof $ref === 'string') return clean({ ...referred(root, $ref), ...without(schema, '$ref') }, root, depth - 1)
  const { allOf, oneOf, ...own } = schema
  const merged = Array.isArray(allOf) ? merge([own, ...allOf.filter(isObject)]) : own
  const either: unknown = merged['anyOf'] ?? oneOf
  const out: { [key: string]: unknown } = {}
  for (const [key, value] of Object.entries(merged)) if (SUPPORTED_KEYWORDS.has(key)) out[key] = value
  Object.assign(out, typeOf(merged))
  if (merged['const'] !== undefined) out['enum'] = [merged['const']]
  if (Array.isArray(out['enum'])) out['enum'] = out['enum'].filter((value) => value !== null).map(String)
  if (Array.isArray(either)) Object.assign(out, unionOf(either.filter(isObject), root, depth))
  const { properties, items } = merged
  if (isObject(properties)) out['properties'] = mapValues(properties, (inner) => clean(inner, root, depth - 1))
  if (isObject(items)) out['items'] = clean(items, root, depth - 1)
  else delete out['items']
  if (!hasFormat(out)) delete out['format']
  // Enumerations contain texts only: https://ai.google.dev/api/caching#Schema
  if (out['enum'] !== undefined && out['type'] !== 'STRING') out['type'] = 'STRING'
  return out
}

/** `type` can be a list; null in it makes the value nullable. */
function typeOf({ type, nullable }: JsonObject): JsonObject {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  const real = names.filter((name) => name.toLowerCase() !== 'null').map((name) => name.toUpperCase())
  const isNullable = nullable === true || real.length < names.length
  const [only] = real
  return {
    type: real.length === 1 ? only : undefined,
    ...(real.length > 1 ? { anyOf: real.map((name) => ({ type: name })) } : {}),
    ...(isNullable ? { nullable: true } : {}),
  }
}

function unionOf(options: readonly JsonObject[], root: JsonObject, depth: number): JsonObject {
  const real = options.filter(({ type }) => type !== 'null')
  const [only] = real
  const isNullable = real.length < options.length ? { nullable: true } : {}
  if (real.length === 1 && only !== undefined) return { ...clean(only, root, depth - 1), anyOf: undefined, ...isNullable }
  return { anyOf: real.map((option) => clean(option, root, depth - 1)), ...isNullable }
}

function hasFormat({ type, format }: JsonObject): boolean {
  return typeof type === 'string' && typeof format === 'string' && (FORMATS[type.toLowerCase()] ?? []).includes(format)
}

/** One schema of those that must all hold. */
function merge(schemas: readonly JsonObject[]): JsonObject {
  const merged: Record<string, unknown> = {}
  const required: unknown[] = []
  const properties: Record<string, unknown> = {}
  for (const schema of schemas) {
    Object.assign(merged, schema)
    if (Array.isArray(schema['required'])) for (const name of schema['required']) required.push(name)
    if (isObject(schema['properties'])) Object.assign(properties, schema['properties'])
  }
  return {
    ...merged,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  }
}

/** Converts Google's own schema to JSON Schema: types in lower case, `nullable` as an additional type. */
export function fromOpenApiSchema(schema: JsonObject): JsonObject {
  const { type, nullable, properties, items, anyOf, any_of, property_ordering: _, propertyOrdering: __, ...rest } = schema
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  const union: unknown = anyOf ?? any_of
  const options = Array.isArray(union) ? union.filter(isObject).map(fromOpenApiSchema) : []
  const isNull = name === undefined && nullable === true
  return {
    ...(name === undefined ? {} : { type: nullable === true ? [name, 'null'] : name }),
    ...numbersIn(rest),
    ...(isObject(properties) ? { properties: mapValues(properties, fromOpenApiSchema) } : {}),
    ...(isObject(items) ? { items: fromOpenApiSchema(items) } : {}),
    ...(options.length === 0 ? {} : { anyOf: isNull ? [...options, { type: 'null' }] : options }),
  }
}

const SIZES = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']

/** Google writes sizes as text, as protobuf does with 64-bit numbers. */
function numbersIn(schema: JsonObject): JsonObject {
  const sizes = SIZES.filter((name) => typeof schema[name] === 'string').map((name) => [name, Number(schema[name])])
  return { ...schema, ...Object.fromEntries(sizes) }
}

function mapValues(object: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, isObject(inner) ? change(inner) : inner]))
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}
