import { matches, parseFilter, type Filter } from './filter.ts'
import { isCommon, isIgnored, readResource, readValue, withoutUrn } from './read-resource.ts'
import { attributeOf, isRecord, type Attribute, type Resource, type Schema } from './schema.ts'
import { ScimError } from './scim-error.ts'

const MAX_OPERATIONS = 1000

type Op = 'add' | 'replace' | 'remove'
type Operation = { readonly op: Op; readonly path: string | undefined; readonly value: unknown }
type Copy = Record<string, unknown>

/** The resource after the operations of a PATCH body, in the forms that Okta and Entra ID send: https://www.rfc-editor.org/rfc/rfc7644#section-3.5.2 */
export function applyPatch(schema: Schema, resource: Resource, body: unknown): Resource {
  const copy: Copy = structuredClone(resource)
  for (const { op, path, value } of readOperations(body)) {
    if (path !== undefined) applyAt(schema, copy, { op, path, value })
    else if (op === 'remove') throw new ScimError(400, 'remove needs a path', 'noTarget')
    else if (!isRecord(value)) throw new ScimError(400, 'Without a path the value is an object', 'invalidValue')
    else for (const [name, inner] of Object.entries(value)) applyUnlessReadOnly(schema, copy, { op, path: name, value: inner })
  }
  return readResource(schema, copy)
}

function readOperations(body: unknown): Operation[] {
  const list = isRecord(body) ? (body['Operations'] ?? body['operations']) : undefined
  if (!Array.isArray(list) || list.length === 0) throw new ScimError(400, 'Operations are missing', 'invalidSyntax')
  if (list.length > MAX_OPERATIONS) throw new ScimError(400, `More than ${MAX_OPERATIONS} operations`, 'tooMany')
  return list.map((one: unknown) => {
    const { op, path, value } = isRecord(one) ? one : {}
    // Entra ID writes Add, Replace and Remove.
    const name = typeof op === 'string' ? op.toLowerCase() : ''
    if (name !== 'add' && name !== 'replace' && name !== 'remove')
      throw new ScimError(400, 'An operation is add, replace or remove', 'invalidSyntax')
    if (path !== undefined && path !== null && typeof path !== 'string') throw new ScimError(400, 'A path is a text', 'invalidPath')
    return { op: name, path: path === null || path === '' ? undefined : path, value }
  })
}

/** Okta repeats `id` and `schemas` in the value of a change without a path. */
function applyUnlessReadOnly(schema: Schema, copy: Copy, operation: Operation & { readonly path: string }): void {
  const [name = ''] = withoutUrn(schema, operation.path).split(/[.[]/)
  if (isCommon(name) || attributeOf(schema.attributes, name)?.mutability === 'readOnly') return
  applyAt(schema, copy, operation)
}

type Target = { readonly attribute: Attribute; readonly filter: Filter | undefined; readonly sub: Attribute | undefined }

function applyAt(schema: Schema, copy: Copy, { op, path, value }: Operation & { readonly path: string }): void {
  // The value of the whole schema, as `urn:…:User` names it.
  if (path.toLowerCase() === schema.id.toLowerCase() && isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) applyUnlessReadOnly(schema, copy, { op, path: name, value: inner })
    return
  }
  const plain = withoutUrn(schema, path)
  if (isIgnored(schema, plain.split(/[.[]/)[0] ?? '') || isIgnored(schema, path)) return
  const { attribute, filter, sub } = readTarget(schema, plain)
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw new ScimError(400, `${path} cannot be changed`, 'mutability')
  if (filter !== undefined) changeElements(copy, { attribute, filter, sub }, op, value)
  else if (sub !== undefined) changeSub(copy, { attribute, sub }, op, value)
  else changeWhole(copy, attribute, op, value)
}

const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s

function readTarget(schema: Schema, path: string): Target {
  const [, name = '', inside, inner] = PATH.exec(path.trim()) ?? []
  if (isCommon(name)) throw new ScimError(400, `${name} cannot be changed`, 'mutability')
  const attribute = attributeOf(schema.attributes, name)
  const sub = inner === undefined ? undefined : attributeOf(attribute?.subAttributes ?? [], inner)
  if (attribute === undefined || (inner !== undefined && sub === undefined))
    throw new ScimError(400, `There is no attribute ${path.slice(0, 100)}`, 'invalidPath')
  if (inside === undefined) return { attribute, filter: undefined, sub }
  if (!attribute.multiValued) throw new ScimError(400, `${attribute.name} has one value only`, 'invalidPath')
  return { attribute, filter: parseFilter(inside), sub }
}

const listOf = (copy: Copy, { name }: Attribute): Copy[] => {
  const value = copy[name]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function set(copy: Copy, name: string, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) delete copy[name]
  else copy[name] = value
}

function changeWhole(copy: Copy, attribute: Attribute, op: Op, value: unknown): void {
  const { name, multiValued } = attribute
  if (op === 'remove') {
    // Entra ID lists the members that go as a value.
    if (multiValued && value !== undefined && value !== null) set(copy, name, without(listOf(copy, attribute), attribute, value))
    else delete copy[name]
    return
  }
  const read = readValue(attribute, value)
  if (multiValued && op === 'add') set(copy, name, merged(listOf(copy, attribute), read))
  else if (attribute.type === 'complex' && !multiValued && isRecord(read)) set(copy, name, { ...toRecord(copy[name]), ...read })
  else set(copy, name, read)
}

const toRecord = (value: unknown): Copy => (isRecord(value) ? value : {})

function without(elements: readonly Copy[], attribute: Attribute, value: unknown): Copy[] {
  const read = readValue(attribute, value)
  const gone = new Set((Array.isArray(read) ? read : []).map((one) => (isRecord(one) ? one['value'] : one)))
  return elements.filter((one) => !gone.has(one['value']))
}

/** Elements are the same when their values are; a new primary one takes the place of the old. */
function merged(elements: readonly Copy[], read: unknown): Copy[] {
  const added = (Array.isArray(read) ? read : []).filter(isRecord)
  const byValue = new Map(elements.map((one) => [one['value'], one]))
  for (const one of added) byValue.set(one['value'], { ...byValue.get(one['value']), ...one })
  return [...byValue.values()]
}

type SubTarget = { readonly attribute: Attribute; readonly sub: Attribute }

/** `name.givenName`; of several values, that of each. */
function changeSub(copy: Copy, { attribute, sub }: SubTarget, op: Op, value: unknown): void {
  const read = op === 'remove' ? undefined : readValue(sub, value)
  if (!attribute.multiValued) {
    const changed = { ...toRecord(copy[attribute.name]) }
    set(changed, sub.name, read)
    set(copy, attribute.name, Object.keys(changed).length === 0 ? undefined : changed)
    return
  }
  const elements = listOf(copy, attribute)
  for (const one of elements) set(one, sub.name, read)
  set(copy, attribute.name, elements.length === 0 && read !== undefined ? [{ [sub.name]: read }] : elements)
}

/** `emails[type eq "work"].value`; the element is made if there is none, as Entra ID expects. */
function changeElements(copy: Copy, { attribute, filter, sub }: Target & { readonly filter: Filter }, op: Op, value: unknown): void {
  const subs = attribute.subAttributes ?? []
  const elements = listOf(copy, attribute)
  const hit = new Set(elements.filter((one) => matches(filter, one, { attributes: subs })))
  if (op === 'remove') {
    const left = sub === undefined ? elements.filter((one) => !hit.has(one)) : elements
    if (sub !== undefined) for (const one of hit) delete one[sub.name]
    set(copy, attribute.name, left)
    return
  }
  const patch = sub === undefined ? toRecord(firstOf(readValue(attribute, value))) : { [sub.name]: readValue(sub, value) }
  if (hit.size > 0) for (const one of hit) Object.assign(one, patch)
  else elements.push({ ...described(filter), ...patch })
  if (patch['primary'] === true) for (const one of elements) if (!hit.has(one) && hit.size > 0) one['primary'] = false
  set(copy, attribute.name, elements)
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** The element that a filter of equalities describes. */
function described(filter: Filter): Copy {
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(described)) as Copy // each part is a record
  if (filter.kind === 'compare' && filter.by === 'eq' && filter.path.sub === undefined) return { [filter.path.name]: filter.value }
  throw new ScimError(400, 'No value matches the filter of the path', 'noTarget')
}
