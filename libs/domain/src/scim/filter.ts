import { attributeOf, isRecord, type Attribute, type Resource, type Schema } from './schema.ts'
import { ScimError } from './scim-error.ts'

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Comparison = (typeof COMPARISONS)[number]
type Value = string | number | boolean | null

/** https://www.rfc-editor.org/rfc/rfc7644#section-3.4.2.2 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'compare'; readonly path: AttributePath; readonly by: Comparison; readonly value: Value }
  | { readonly kind: 'elements'; readonly path: AttributePath; readonly part: Filter }

export type AttributePath = { readonly name: string; readonly sub: string | undefined }

const MAX_FILTER = 4000
const MAX_DEPTH = 20

/** A parsed filter; throws `invalidFilter`. */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_FILTER) throw invalid('it is too long')
  const tokens = new Tokens(text)
  const filter = readOr(tokens, 0)
  if (!tokens.isDone()) throw invalid(`"${tokens.rest()}" is not expected`)
  return filter
}

const invalid = (why: string): ScimError => new ScimError(400, `The filter cannot be read: ${why}`, 'invalidFilter')

/** Words, quoted texts and brackets of a filter. */
class Tokens {
  readonly #found: readonly string[]
  #at = 0

  constructor(text: string) {
    const found: string[] = []
    const form = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/y
    const trimmed = text.trimEnd()
    while (form.lastIndex < trimmed.length) {
      const [, token] = form.exec(trimmed) ?? []
      if (token === undefined) throw invalid('a quote is not closed')
      found.push(token)
    }
    this.#found = found
  }

  peek(): string | undefined {
    return this.#found[this.#at]
  }

  take(): string {
    const token = this.peek()
    if (token === undefined) throw invalid('it ends too early')
    this.#at += 1
    return token
  }

  /** Takes the token if it is this word, in any case. */
  tryTake(word: string): boolean {
    const isNext = this.peek()?.toLowerCase() === word
    if (isNext) this.#at += 1
    return isNext
  }

  isDone(): boolean {
    return this.#at >= this.#found.length
  }

  rest(): string {
    return this.#found.slice(this.#at).join(' ').slice(0, 100)
  }
}

function readOr(tokens: Tokens, depth: number): Filter {
  if (depth > MAX_DEPTH) throw invalid('it is too deep')
  const parts = [readAnd(tokens, depth)]
  while (tokens.tryTake('or')) parts.push(readAnd(tokens, depth))
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'or', parts }
}

function readAnd(tokens: Tokens, depth: number): Filter {
  const parts = [readOne(tokens, depth)]
  while (tokens.tryTake('and')) parts.push(readOne(tokens, depth))
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'and', parts }
}

function readOne(tokens: Tokens, depth: number): Filter {
  if (tokens.tryTake('not')) return { kind: 'not', part: readInside(tokens, depth, '(', ')') }
  if (tokens.peek() === '(') return readInside(tokens, depth, '(', ')')
  const path = readPath(tokens.take())
  if (tokens.peek() === '[') return { kind: 'elements', path, part: readInside(tokens, depth, '[', ']') }
  if (tokens.tryTake('pr')) return { kind: 'present', path }
  const word = tokens.take().toLowerCase()
  const by = COMPARISONS.find((one) => one === word)
  if (by === undefined) throw invalid(`"${word.slice(0, 20)}" is no comparison`)
  return { kind: 'compare', path, by, value: readValue(tokens.take()) }
}

function readInside(tokens: Tokens, depth: number, open: string, close: string): Filter {
  if (tokens.take() !== open) throw invalid(`"${open}" is missing`)
  const filter = readOr(tokens, depth + 1)
  if (tokens.take() !== close) throw invalid(`"${close}" is missing`)
  return filter
}

function readValue(token: string): Value {
  // Some identity providers write False, and booleans in quotes.
  const text = /^(true|false|null)$/i.test(token) ? token.toLowerCase() : token
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Value // checked in this line
  } catch {
    // Not JSON: refused below.
  }
  throw invalid(`"${token.slice(0, 50)}" is no value`)
}

const PATH = /^(?:urn:[\w.:-]+:)?([A-Za-z$][\w$-]*)(?:\.([A-Za-z$][\w$-]*))?$/i

/** `emails.value`, with or without the schema's name before it. */
export function readPath(text: string): AttributePath {
  const [, name, sub] = PATH.exec(text) ?? []
  if (name === undefined) throw invalid(`"${text.slice(0, 100)}" is no attribute`)
  return { name, sub }
}

/** Attributes that every resource has. */
const COMMON: readonly Attribute[] = ['id', 'meta', 'schemas'].map((name) => ({
  name,
  type: name === 'meta' ? 'complex' : 'string',
  description: '',
  multiValued: name === 'schemas',
  required: false,
  caseExact: true,
  mutability: 'readOnly',
  returned: 'default',
  uniqueness: 'none',
}))

/** True if a resource matches. An attribute that the schema does not have is absent. */
export function matches(filter: Filter, resource: Resource, { attributes }: Pick<Schema, 'attributes'>): boolean {
  const known = [...attributes, ...COMMON]
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, resource, { attributes }))
    case 'or':
      return filter.parts.some((part) => matches(part, resource, { attributes }))
    case 'not':
      return !matches(filter.part, resource, { attributes })
    case 'present':
      return valuesAt(filter.path, resource, known).some(({ value }) => value !== '' && value !== null)
    case 'compare': {
      const values = valuesAt(filter.path, resource, known)
      if (filter.by === 'ne') return !values.some((one) => compares('eq', one, filter.value))
      return values.some((one) => compares(filter.by, one, filter.value))
    }
    case 'elements': {
      const attribute = attributeOf(known, filter.path.name)
      const elements = attribute === undefined ? [] : toList(resource[attribute.name])
      return elements.some((one) => isRecord(one) && matches(filter.part, one, { attributes: attribute?.subAttributes ?? [] }))
    }
  }
}

type Found = { readonly value: unknown; readonly caseExact: boolean }

function valuesAt({ name, sub }: AttributePath, resource: Resource, known: readonly Attribute[]): Found[] {
  const attribute = attributeOf(known, name)
  if (attribute === undefined) return []
  const found = toList(resource[attribute.name])
  if (attribute.type !== 'complex') return found.map((value) => ({ value, caseExact: attribute.caseExact }))
  const wanted = sub ?? (attribute.multiValued ? 'value' : undefined)
  if (wanted === undefined) return found.map((value) => ({ value, caseExact: true }))
  const inner = attributeOf(attribute.subAttributes ?? [], wanted)
  return found.flatMap((one) => {
    if (!isRecord(one)) return []
    const value = one[inner?.name ?? wanted]
    return value === undefined ? [] : [{ value, caseExact: inner?.caseExact ?? true }]
  })
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

function compares(by: Comparison, { value, caseExact }: Found, wanted: Value): boolean {
  if (typeof value === 'boolean') return by === 'eq' && String(value) === String(wanted).toLowerCase()
  if (typeof value === 'number' && typeof wanted === 'number') return ordered(by, value - wanted)
  if (typeof value !== 'string' || wanted === null) return false
  const [one, other] = caseExact ? [value, String(wanted)] : [value.toLowerCase(), String(wanted).toLowerCase()]
  if (by === 'co') return one.includes(other)
  if (by === 'sw') return one.startsWith(other)
  if (by === 'ew') return one.endsWith(other)
  return ordered(by, one === other ? 0 : one < other ? -1 : 1)
}

function ordered(by: Comparison, order: number): boolean {
  if (by === 'gt') return order > 0
  if (by === 'ge') return order >= 0
  if (by === 'lt') return order < 0
  if (by === 'le') return order <= 0
  return by === 'eq' && order === 0
}
