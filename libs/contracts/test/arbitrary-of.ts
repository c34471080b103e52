import fc from 'fast-check'
import { z } from 'zod'

/** Values that a schema accepts, with every optional field present or absent; no null. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const type = schema as z.core.$ZodTypes
  const { def } = type._zod
  switch (def.type) {
    case 'object':
      return objectOf(def.shape)
    case 'array':
      return fc.array(arbitraryOf(def.element), { maxLength: 4 })
    case 'union':
      return fc.oneof(...def.options.map(arbitraryOf))
    case 'record':
      return fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_/-]{0,12}$/), arbitraryOf(def.valueType), { maxKeys: 3 })
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'nullable':
    case 'optional':
    case 'default':
    case 'readonly':
      return arbitraryOf(def.innerType)
    case 'pipe':
      return arbitraryOf(def.out)
    case 'boolean':
      return fc.boolean()
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => z.core.safeParse(schema, value).success)
    case 'number':
      return fc
        .oneof(fc.nat(10_079), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }))
        .map((value) => value + 0)
        .filter((value) => z.core.safeParse(schema, value).success)
    default:
      throw new Error(`arbitraryOf knows no ${def.type}`)
  }
}

function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const requiredKeys = Object.keys(shape).filter((key) => !(shape[key] !== undefined && isOptional(shape[key])))
  return fc.record(Object.fromEntries(Object.entries(shape).map(([key, member]) => [key, arbitraryOf(member)])), {
    requiredKeys,
    noNullPrototype: true,
  })
}

const isOptional = (schema: z.core.$ZodType): boolean => z.core.safeParse(schema, undefined).success
