import type { Endpoint } from '@tollgate/contracts/endpoint'
import { z } from 'zod'
import type { Language } from './language.ts'

/** Fields that forms of existing consoles send beside a row, and that mean nothing to a server. */
const FORM_FIELDS: ReadonlySet<string> = new Set(['DeletedAt', 'password2', 'tokenCount', 'is_edit', 'setting_json', 'turnstile'])

/** More are not named one by one. */
const MAX_NAMED = 10
const MAX_NAME = 40

/** Names the fields of a body that a call does not know. */
export type UnknownFields = (endpoint: Endpoint, body: unknown) => readonly string[]

/**
 * A field that is not known is never dropped without a word. Consoles send whole rows back, so what the same resource answers counts as
 * known.
 */
export function unknownFieldsOf(endpoints: readonly Endpoint[]): UnknownFields {
  const answered = new Map<string, Set<string>>()
  for (const { path, data } of endpoints) {
    const fields = answered.get(resourceOf(path)) ?? new Set<string>()
    if (data !== undefined) collectFields(data, fields, 3)
    answered.set(resourceOf(path), fields)
  }
  return ({ path, body: schema }, body) => {
    const known = schema === undefined ? undefined : knownFields(schema)
    if (known === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return []
    const row = answered.get(resourceOf(path))
    return Object.keys(body).filter((name) => !known.has(name) && row?.has(name) !== true && !FORM_FIELDS.has(name))
  }
}

/** Warnings about the fields, for the answer. */
export function warningsOf(names: readonly string[], language: Language): readonly string[] {
  return names.slice(0, MAX_NAMED).map((name) => {
    const shown = name.slice(0, MAX_NAME)
    return language === 'zh' ? `字段 ${shown} 未知，已忽略` : `Unknown field ${shown} was ignored`
  })
}

/** `/api/token/{id}` → `/api/token`. */
const resourceOf = (path: string): string => path.split('/').slice(0, 3).join('/')

/** Undefined: the body takes any field, or its fields cannot be told. */
function knownFields(schema: z.ZodType): ReadonlySet<string> | undefined {
  if (schema instanceof z.ZodObject) return schema.def.catchall === undefined ? new Set(Object.keys(schema.shape)) : undefined
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const inner: unknown = schema.def.innerType
    return inner instanceof z.ZodType ? knownFields(inner) : undefined
  }
  return undefined
}

function collectFields(schema: unknown, fields: Set<string>, depth: number): void {
  if (depth === 0) return
  if (schema instanceof z.ZodArray) return collectFields(schema.element, fields, depth)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return collectFields(schema.def.innerType, fields, depth)
  if (!(schema instanceof z.ZodObject)) return
  for (const [name, part] of Object.entries(schema.shape)) {
    fields.add(name)
    collectFields(part, fields, depth - 1)
  }
}
