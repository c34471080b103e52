import { isObject, type JsonObject } from '../json.ts'

/** The text of a field; numbers are written out, everything else is empty. */
export function textOf(body: JsonObject, name: string): string {
  const value = body[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

/** A time or code of a vendor; 0 when it is not a whole number that a column can hold. */
export function integerOf(body: JsonObject, name: string): number {
  const value = body[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0
}

export function objectOf(body: JsonObject, name: string): JsonObject {
  const value = body[name]
  return isObject(value) ? value : {}
}
