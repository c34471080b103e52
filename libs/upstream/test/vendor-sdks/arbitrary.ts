import fc from 'fast-check'
import { isObject } from '@tollgate/providers/json'

/** The part of JSON Schema that the types of SDKs need. */
export type Schema = {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}
export type Schemas = {
  readonly roots: Readonly<Record<string, Schema>>
  readonly $defs: Readonly<Record<string, Schema>>
  /** Names of the fields of a chat request. */
  readonly request?: readonly string[]
}

/** Deeper values lack their optional fields, and their lists are empty. */
const MAX_DEPTH = 9
const UNKNOWN = 'value_of_tomorrow'
const TEXTS = ['Sunny.', '', '{"city":"Rome"}', 'ü 👋', 'call_1']

type Options = {
  /** Also values and variants that the SDK does not know. */
  readonly hasUnknown: boolean
}

/** Values of a type of the SDK: optional fields are there, absent or null where the type allows it. */
export function anAnswer(schemas: Schemas, root: string, options: Options): fc.Arbitrary<unknown> {
  const schema = schemas.roots[root]
  if (schema === undefined) throw new Error(`no type for ${root}`)
  return valueOf(schema, { ...options, $defs: schemas.$defs, depth: 0 })
}

type Context = Options & { readonly $defs: Schemas['$defs']; readonly depth: number }

function valueOf(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const known = resolved(schema, context)
  if ('const' in known) return fc.constant(known.const)
  if (known.enum !== undefined) return choice(known.enum, context)
  if (known.anyOf !== undefined) return variantOf(known.anyOf, context)
  switch (known.type) {
    case 'string':
      return fc.constantFrom(...TEXTS)
    case 'integer':
    case 'number':
      return fc.nat({ max: 1000 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueOf(known.items ?? {}, deeper(context)), { maxLength: context.depth < MAX_DEPTH ? 2 : 0 })
    case 'object':
      return objectOf(known, context)
    default:
      return fc.constantFrom<unknown>('Sunny.', { sky: 'blue' })
  }
}

const deeper = (context: Context): Context => ({ ...context, depth: context.depth + 1 })

function resolved(schema: Schema, { $defs }: Context): Schema {
  const target = schema.allOf?.length === 1 ? schema.allOf[0] : schema
  if (target?.$ref === undefined) return target ?? {}
  const found = $defs[target.$ref.replace('#/$defs/', '')]
  if (found === undefined) throw new Error(`no definition of ${target.$ref}`)
  return found
}

function choice(values: readonly unknown[], { hasUnknown }: Context): fc.Arbitrary<unknown> {
  const isText = values.some((value) => typeof value === 'string')
  return fc.constantFrom(...values, ...(hasUnknown && isText ? [UNKNOWN] : []))
}

function variantOf(variants: readonly Schema[], context: Context): fc.Arbitrary<unknown> {
  const known = variants.map((variant) => resolved(variant, context))
  if (known.every((variant) => 'const' in variant || variant.type === 'null'))
    return choice(
      known.map((variant) => ('const' in variant ? variant.const : null)),
      context,
    )
  if (context.depth >= MAX_DEPTH) {
    const flat = variants.find((_variant, index) => known[index]?.type !== 'object' && known[index]?.type !== 'array')
    return valueOf(flat ?? variants[0] ?? {}, context)
  }
  // An open enumeration is a list of constants beside any string; the strings are the values of tomorrow.
  const isOpen = known.some((variant) => 'const' in variant) && known.some(({ type }) => type === 'string')
  const own = variants
    .filter((_variant, index) => !(isOpen && known[index]?.type === 'string'))
    .map((variant) => valueOf(variant, deeper(context)))
  const unknown = isOpen ? [fc.constant(UNKNOWN)] : known.some(isTagged) ? [fc.constant({ type: UNKNOWN, value: 'x' })] : []
  return fc.oneof(...own, ...(context.hasUnknown ? unknown : []))
}

const isTagged = ({ properties }: Schema) => isObject(properties?.['type']) && 'const' in properties['type']

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, context: Context): fc.Arbitrary<unknown> {
  if (Object.keys(properties).length === 0 && isObject(additionalProperties))
    return fc.dictionary(fc.constantFrom('city', 'sky'), valueOf(additionalProperties, deeper(context)), { maxKeys: 2 })
  const names = Object.keys(properties).filter((name) => context.depth < MAX_DEPTH || required.includes(name))
  const fields = Object.fromEntries(names.map((name) => [name, valueOf(properties[name] ?? {}, deeper(context))]))
  return fc.record(fields, { requiredKeys: names.filter((name) => required.includes(name)) })
}
