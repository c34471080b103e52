import { z } from 'zod'

export type Json = Record<string, unknown>
type Direction = 'input' | 'output'
type Definitions = Record<Direction, Map<string, Json>>

const LARGEST = Number.MAX_SAFE_INTEGER

/**
 * Converts schemas to JSON Schema and collects those with a name as components. A component whose input differs from its output, by
 * defaults for example, is there twice: the input's name ends with `Input`.
 */
export class Components {
  readonly #registry = z.registry<{ id: string }>()
  readonly #found: Definitions = { input: new Map(), output: new Map() }

  constructor(names: ReadonlyMap<z.ZodType, string>) {
    for (const [schema, id] of names) this.#registry.add(schema, { id })
  }

  /** References in the result are resolved by `finish`. */
  convert(schema: z.ZodType, io: Direction): Json {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = withOneType(
      z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        metadata: this.#registry,
        override: ({ jsonSchema }) => simplify(jsonSchema, io),
      }),
    )
    for (const [name, { id: _id, ...definition }] of Object.entries($defs)) this.#found[io].set(name, mark(definition, io))
    return mark(rest, io)
  }

  /** The document with final references, and the schemas that it refers to. */
  finish<T extends Json>(
    document: T,
    added: Record<string, Json>,
  ): T & { readonly components: { readonly schemas: Record<string, Json> } } {
    const differing = differingNames(this.#found)
    const rename = (io: Direction, name: string): string => (io === 'input' && differing.has(name) ? `${name}Input` : name)
    const schemas: Record<string, Json> = { ...added }
    for (const io of ['output', 'input'] as const) {
      for (const [name, schema] of this.#found[io]) schemas[rename(io, name)] = resolve(schema, rename)
    }
    const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const components = { ...(document['components'] as Json | undefined), schemas: sorted } // the caller's own part of the document
    return { ...resolve(document, rename), components }
  }
}

/** Bounds that every safe integer has say nothing; a map of known keys is an object; newer servers may add fields to answers. */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  if (schema.minimum === -LARGEST) delete schema.minimum
  if (schema.maximum === LARGEST) delete schema.maximum
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  const keys = typeof schema.propertyNames === 'object' ? schema.propertyNames.enum : undefined
  if (keys === undefined || schema.required === undefined) return
  const value = schema.additionalProperties ?? {}
  schema.properties = Object.fromEntries(keys.map((key) => [String(key), value]))
  delete schema.propertyNames
  delete schema.additionalProperties
}

/**
 * A list of types becomes a choice of schemas, which every generator of clients knows. One type beside `null` stays as it is. zod joins
 * such types after `override`.
 */
function withOneType(schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  const separate = (_key: string, part: unknown): unknown => {
    if (typeof part !== 'object' || part === null || !('type' in part) || !Array.isArray(part.type)) return part
    if (part.type.filter((type) => type !== 'null').length < 2) return part
    const { type: types, ...rest } = part
    return { ...rest, anyOf: types.map((type: unknown) => ({ type })) }
  }
  return JSON.parse(JSON.stringify(schema), separate) as z.core.JSONSchema.BaseSchema // a copy with other parts
}

const LOCAL = '#/$defs/'

const mark = (schema: Json, io: Direction): Json => mapReferences(schema, (reference) => reference.replace(LOCAL, `${io}:`))

const resolve = <T extends Json>(value: T, rename: (io: Direction, name: string) => string): T =>
  mapReferences(value, (reference) => {
    const [io, name] = reference.split(':')
    return name === undefined ? reference : `#/components/schemas/${rename(io === 'input' ? 'input' : 'output', name)}`
  })

/** Examples may hold any text, so only a `$ref` that is a text counts. */
function mapReferences<T extends Json>(value: T, change: (reference: string) => string): T {
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, key === '$ref' && typeof inner === 'string' ? change(inner) : copy(inner)]),
    )
  }
  return copy(value) as T // the same object with other references
}

/** Names whose input and output differ, or refer to one that does. */
function differingNames({ input, output }: Definitions): ReadonlySet<string> {
  const bare = (schema: Json | undefined): string => JSON.stringify(schema ?? {}).replaceAll(/"(?:input|output):/g, '"')
  const both = [...input.keys()].filter((name) => output.has(name))
  const differing = new Set(both.filter((name) => bare(input.get(name)) !== bare(output.get(name))))
  for (let size = -1; size !== differing.size;) {
    size = differing.size
    for (const name of both) {
      if ([...differing].some((other) => bare(input.get(name)).includes(`"$ref":"${other}"`))) differing.add(name)
    }
  }
  return differing
}
