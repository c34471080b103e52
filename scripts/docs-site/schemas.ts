export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export type Field = { readonly name: string; readonly isRequired: boolean; readonly type: string; readonly about: string }

const MAX_DEPTH = 3
const MAX_CHOICES = 12

type Schemas = Readonly<Record<string, Schema>>

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref

/** The type of a value as a phrase: `string`, `array of Channel`, `"a" | "b"`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return choicesOf(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(typeOf).join(' | ')
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}

function choicesOf(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_CHOICES).map((value) => JSON.stringify(value))
  return [...shown, ...(values.length > MAX_CHOICES ? [`and ${values.length - MAX_CHOICES} more`] : [])].join(' | ')
}

/** The fields of an object and of the objects in it, by dotted names. A refusal, which every answer may be, is not listed. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 0): readonly Field[] {
  const whole = resolve(schema, schemas)
  const parts = [...(whole.allOf ?? []), ...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].filter(
    ({ $ref }) => nameOf($ref ?? '') !== 'Refusal',
  )
  const own = Object.entries(whole.properties ?? {}).flatMap(([name, property]): readonly Field[] => {
    const path = `${prefix}${name}`
    const field = {
      name: path,
      isRequired: whole.required?.includes(name) === true,
      type: typeOf(property),
      about: property.description ?? '',
    }
    return [field, ...(depth < MAX_DEPTH ? inside(property, schemas, path, depth + 1) : [])]
  })
  const merged = [...own, ...parts.flatMap((part) => fieldsOf(part, schemas, prefix, depth))]
  return [...new Map(merged.map((field) => [field.name, field])).values()]
}

function inside(schema: Schema, schemas: Schemas, path: string, depth: number): readonly Field[] {
  const { items } = resolve(schema, schemas)
  return items === undefined ? fieldsOf(schema, schemas, `${path}.`, depth) : fieldsOf(items, schemas, `${path}[].`, depth)
}

const resolve = (schema: Schema, schemas: Schemas): Schema => (schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {}))
