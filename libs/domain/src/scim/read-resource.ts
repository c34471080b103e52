import { attributeOf, ENTERPRISE_USER, isRecord, type Attribute, type Resource, type Schema } from './schema.ts'
import { ScimError } from './scim-error.ts'

const MAX_TEXT = 500
export const MAX_VALUES = 5000

const COMMON: ReadonlySet<string> = new Set(['id', 'meta', 'schemas'])

/**
 * The attributes of a resource that the schema has and that may be written, under their announced names, without empty ones. Those of the
 * standard that are not kept are left out.
 */
export function readResource(schema: Schema, body: unknown): Resource {
  if (!isRecord(body)) throw new ScimError(400, 'The body is not a resource', 'invalidSyntax')
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const attribute = attributeOf(schema.attributes, withoutUrn(schema, name))
    if (attribute === undefined || attribute.mutability === 'readOnly') continue
    const kept = readValue(attribute, value)
    if (kept !== undefined) read[attribute.name] = kept
  }
  for (const { name, required } of schema.attributes)
    if (required && (read[name] === undefined || read[name] === '')) throw new ScimError(400, `${name} is required`, 'invalidValue')
  return read
}

/** True if the name is of an attribute that is accepted and not kept. */
export function isIgnored(schema: Schema, name: string): boolean {
  return schema.ignored.has(name.toLowerCase()) || name.toLowerCase().startsWith(ENTERPRISE_USER.toLowerCase())
}

export const isCommon = (name: string): boolean => COMMON.has(name.toLowerCase())

/** `urn:…:User:userName` is `userName`. */
export function withoutUrn({ id }: Pick<Schema, 'id'>, name: string): string {
  const prefix = `${id}:`.toLowerCase()
  return name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : name
}

/** A value of the attribute's type; undefined: none. Throws `invalidValue`. */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (!attribute.multiValued) return readSingle(attribute, value)
  const elements = Array.isArray(value) ? value : [value]
  if (elements.length > MAX_VALUES) throw new ScimError(400, `${attribute.name} has more than ${MAX_VALUES} values`, 'tooMany')
  const read = elements.flatMap((one) => {
    const element = readSingle(attribute, one)
    return element === undefined ? [] : [element]
  })
  return read.length === 0 ? undefined : withOnePrimary(read)
}

/** The last element that is marked as primary is the primary one. */
function withOnePrimary(elements: readonly unknown[]): readonly unknown[] {
  const last = elements.findLastIndex((one) => isRecord(one) && one['primary'] === true)
  return elements.map((one, at) => (isRecord(one) && one['primary'] === true && at !== last ? { ...one, primary: false } : one))
}

function readSingle(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (attribute.type === 'complex') return readComplex(attribute, value)
  if (attribute.type === 'boolean') return readBoolean(attribute, value)
  // Azure sends some of its ids as numbers.
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') throw new ScimError(400, `${attribute.name} is not a text`, 'invalidValue')
  if (text.length > MAX_TEXT || text.includes('\0') || !text.isWellFormed())
    throw new ScimError(400, `${attribute.name} has more than ${MAX_TEXT} characters, or invalid ones`, 'invalidValue')
  return text === '' ? undefined : text
}

function readComplex(attribute: Attribute, value: unknown): Resource | undefined {
  const subs = attribute.subAttributes ?? []
  // Some identity providers send the value alone.
  const given = typeof value === 'string' && attributeOf(subs, 'value') !== undefined ? { value } : value
  if (!isRecord(given)) throw new ScimError(400, `${attribute.name} is not an object`, 'invalidValue')
  const read: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(given)) {
    const sub = attributeOf(subs, name)
    if (sub === undefined || sub.mutability === 'readOnly') continue
    const kept = readValue(sub, inner)
    if (kept !== undefined) read[sub.name] = kept
  }
  return Object.keys(read).length === 0 ? undefined : read
}

/** Entra ID sends "True" and "False". */
function readBoolean({ name }: Attribute, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw new ScimError(400, `${name} is neither true nor false`, 'invalidValue')
  return text === 'true'
}
