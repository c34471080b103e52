import type { Json } from './components.ts'

type Place = {
  readonly schemas: Readonly<Record<string, Json>>
  /** Components that surround the place. */
  readonly inside: readonly string[]
  /** The name of the property. */
  readonly name: string
}

const PREFIX = '#/components/schemas/'

/** A plausible value of a schema: always the same one for the same schema. */
export function exampleOf(schema: Json, schemas: Place['schemas'], name = ''): unknown {
  return valueOf(schema, { schemas, inside: [], name })
}

function valueOf(schema: Json, place: Place): unknown {
  const { $ref, ...own } = schema
  if (typeof $ref === 'string') {
    const target = $ref.slice(PREFIX.length)
    return valueOf({ ...place.schemas[target], ...own }, { ...place, inside: [...place.inside, target] })
  }
  if (schema['const'] !== undefined) return schema['const']
  if (isTelling(schema['default'])) return schema['default']
  const values = schema['enum'] as unknown[] | undefined // a keyword of JSON Schema
  if (values !== undefined) return values.find(isTelling) ?? values[0]
  const variants = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined // the same
  if (variants !== undefined)
    return valueOf(variants.find((variant) => variant['type'] !== 'null' && !repeats(variant, place)) ?? {}, place)
  const parts = schema['allOf'] as Json[] | undefined // the same
  if (parts !== undefined) return Object.assign({}, ...parts.map((part) => valueOf(part, place))) as unknown
  return valueOfType(schema, place)
}

function valueOfType(schema: Json, place: Place): unknown {
  const type: unknown = Array.isArray(schema['type']) ? (schema['type'] as unknown[]).find((name) => name !== 'null') : schema['type']
  if (type === 'object') return objectOf(schema, place)
  if (type === 'array') return listOf(schema, place)
  if (type === 'string') return textOf(schema, place.name)
  if (type === 'integer' || type === 'number') return numberOf(schema, place.name, type === 'integer')
  if (type === 'boolean') return true
  return type === 'null' ? null : {}
}

/** An empty value shows nothing. */
const isTelling = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')

const repeats = (schema: Json, { inside }: Place): boolean =>
  typeof schema['$ref'] === 'string' && inside.includes(schema['$ref'].slice(PREFIX.length))

function objectOf(schema: Json, place: Place): Json {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>) // a keyword of JSON Schema
  const required = new Set((schema['required'] ?? []) as string[]) // the same
  const filled = properties
    .filter(([name, part]) => required.has(name) || !repeats(part, place))
    .map(([name, part]) => [name, valueOf(part, { ...place, name })] as const)
  const others = schema['additionalProperties']
  if (filled.length > 0 || typeof others !== 'object' || others === null || Object.keys(others).length === 0) {
    return Object.fromEntries(filled)
  }
  const keys = schema['propertyNames'] === undefined ? 'name' : valueOf(schema['propertyNames'] as Json, { ...place, name: 'key of a map' })
  return { [String(keys)]: valueOf(others as Json, place) }
}

function listOf(schema: Json, place: Place): unknown[] {
  const tuple = schema['prefixItems'] as Json[] | undefined // a keyword of JSON Schema
  if (tuple !== undefined) return tuple.map((item) => valueOf(item, place))
  const items = (schema['items'] ?? {}) as Json // the same
  if (repeats(items, place)) return []
  return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () => valueOf(items, place))
}

/** The first entry whose pattern matches a property's name gives its text. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/email/i, 'ada@example.com'],
  [/^(allow_ips|ip|.*_ip|address_range|cidr)$/i, '203.0.113.7'],
  [/url|link|href|address|origin|endpoint|callback|redirect/i, 'https://example.com/'],
  [/^(token|key)_name$/i, 'laptop'],
  [/^multi_key_mode$/, 'random'],
  [/^DeletedAt$/, '2026-11-29T10:15:00Z'],
  [/model/i, 'gpt-4o-mini'],
  [/group/i, 'default'],
  [/channel/i, 'OpenAI, Europe'],
  [/user_?name|display_name|^by$|author/i, 'ada'],
  [/key|secret|token|password|credential/i, 'sk-…'],
  [/request_id|trace/i, '20261129101500000000000abcdefgh'],
  [/currency/i, 'USD'],
  [/time_?zone/i, 'UTC'],
  [/month/i, '2026-11'],
  [/^(day|date|from|to|until|since)$|_(day|date)$/i, '2026-11-29'],
  [/language/i, 'en'],
  [/version/i, '1.0.0'],
  [/code/i, 'abc123'],
  [/^message$|text|note|reason|remark|description|content|error/i, 'A short text'],
  [/name|title|label/i, 'Example'],
]

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '3f2b8c1e-5d47-4a9b-8e21-7c6d5b4a3f21',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  date: '2026-11-29',
  'date-time': '2026-11-29T10:15:00Z',
}

/** Tried in this order where a schema has a pattern. */
const FOR_PATTERNS = [
  '0.5',
  '1',
  '2026-11-29',
  '2026-11',
  'example',
  'EXAMPLE',
  'USD',
  '10:15',
  '1/2',
  'a'.repeat(32),
  '0'.repeat(64),
  '#336699',
]

function textOf(schema: Json, name: string): string {
  const format = FORMATS[String(schema['format'])]
  const known = format ?? TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example'
  const { pattern } = schema
  const text = typeof pattern === 'string' ? matching(pattern, known) : known
  return text.padEnd(Number(schema['minLength'] ?? 0), 'x').slice(0, Number(schema['maxLength'] ?? text.length + 1e6))
}

function matching(pattern: string, known: string): string {
  const found = [known, ...FOR_PATTERNS].find((text) => new RegExp(pattern, 'u').test(text))
  if (found === undefined) throw new Error(`no example matches ${pattern}. Fix: add one to FOR_PATTERNS in scripts/gen/openapi/examples.ts`)
  return found
}

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/_ms$|millis|duration|latency/i, 420],
  [/(^|_)(at|time|since|until|expires?|timestamp|updated|created)$|time$|^last_/i, 1_795_947_300],
  [/status_?code/i, 200],
  [/ratio|share|rate/i, 1],
  [/quota|spent|charge|cost|amount|balance|money/i, 500_000],
  [/tokens?$/i, 1200],
  [/size|bytes|limit|max/i, 100],
  [/(^|_)page$|^p$/i, 1],
]

function numberOf(schema: Json, name: string, isInteger: boolean): number {
  const known = NUMBERS.find(([pattern]) => pattern.test(name))?.[1] ?? 1
  const least = Math.max(Number(schema['minimum'] ?? -Infinity), Number(schema['exclusiveMinimum'] ?? -Infinity) + (isInteger ? 1 : 0.5))
  const most = Math.min(Number(schema['maximum'] ?? Infinity), Number(schema['exclusiveMaximum'] ?? Infinity) - (isInteger ? 1 : 0.5))
  return Math.min(Math.max(known, least), most)
}
