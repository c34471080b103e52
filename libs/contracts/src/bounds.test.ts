import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from './endpoints.ts'

type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
}

/** The places of a schema where a caller may send as much as it likes. */
function unbounded(schema: Schema, path: string): string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...(schema.prefixItems ?? [])]
  const inner = [
    ...parts.flatMap((part) => unbounded(part, path)),
    ...(schema.items === undefined ? [] : unbounded(schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => unbounded(part, `${path}.${name}`)),
    ...(typeof schema.additionalProperties === 'object' ? unbounded(schema.additionalProperties, `${path}.*`) : []),
  ]
  return [...(isUnbounded(schema) ? [path] : []), ...inner]
}

function isUnbounded(schema: Schema): boolean {
  const { type, maxLength, maxItems, maxProperties, minimum, maximum, additionalProperties } = schema
  if (schema.enum !== undefined || schema.const !== undefined) return false
  if (type === 'string') return maxLength === undefined
  if (type === 'array') return maxItems === undefined
  if (type === 'number' || type === 'integer') return minimum === undefined || maximum === undefined
  // A record; an object with declared fields drops the others.
  if (type === 'object') return typeof additionalProperties === 'object' && maxProperties === undefined
  // A schema without any rule.
  return (
    type === undefined &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    schema.allOf === undefined &&
    schema.$ref === undefined
  )
}

/** A model request, which the relay bounds by its bytes, like those of API clients. */
const MODEL_REQUEST = 'POST /pg/chat/completions body'

const inputs = endpoints.flatMap(({ method, path, params, query, body }) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema === undefined || `${method} ${path} ${part}` === MODEL_REQUEST ? [] : [{ at: `${method} ${path} ${part}`, schema }],
  ),
)

describe('inputs of the console API', () => {
  it('are declared by the endpoint table', () => {
    expect(inputs.length).toBeGreaterThan(60)
  })

  it.each(inputs)('have a limit for every text, list and number: $at', ({ at, schema }) => {
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema // JSON Schema's own shape
    expect(unbounded(described, at)).toEqual([])
  })
})
