import { textOf } from '@tollgate/contracts/app-error'
import { isObject, type JsonObject } from '../../../json.ts'

/** The fault of a field, in one sentence that names the field. */
export type FieldFault = { readonly field: string; readonly detail: string }

const MATCHES = {
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a number': (value: unknown) => typeof value === 'number',
  'an integer': (value: unknown) => Number.isSafeInteger(value),
  'a string': (value: unknown) => typeof value === 'string',
  'an object': isObject,
  'an array': (value: unknown) => Array.isArray(value),
  'a string or an array': (value: unknown) => typeof value === 'string' || Array.isArray(value),
  'a string or an object': (value: unknown) => typeof value === 'string' || isObject(value),
} as const

/** The allowed types of documented fields; `null` and absence are always allowed. */
export type FieldTypes = Readonly<Record<string, keyof typeof MATCHES>>

export const fault = (field: string, kind: string): FieldFault => ({ field, detail: `field ${field} must be ${kind}` })
export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** The first field of the wrong type, in the order of the table. */
export function findTypeFault(body: JsonObject, types: FieldTypes): FieldFault | undefined {
  // Most bodies have few fields and no fault, so the whole table is searched only after a fault was found.
  if (hasRightTypes(body, types)) return undefined
  const found = Object.entries(types).find(([field, kind]) => !isRight(body[field], kind))
  return found === undefined ? undefined : fault(...found)
}

function hasRightTypes(body: JsonObject, types: FieldTypes): boolean {
  for (const field in body) {
    const kind = Object.hasOwn(types, field) ? types[field] : undefined
    if (kind !== undefined && !isRight(body[field], kind)) return false
  }
  return true
}

const isRight = (value: unknown, kind: keyof typeof MATCHES): boolean => isAbsent(value) || MATCHES[kind](value)

/** The fault of the required model name. */
export function findModelFault(
  body: JsonObject,
): { readonly code: 'model.missing' | 'request.field'; readonly detail: string } | undefined {
  const { model } = body
  if (isAbsent(model) || model === '') return { code: 'model.missing', detail: textOf('model.missing', 'en') }
  return typeof model === 'string' ? undefined : { code: 'request.field', detail: 'field model must be a string' }
}
