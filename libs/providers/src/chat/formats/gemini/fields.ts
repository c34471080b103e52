import { isObject, type JsonObject } from '../../../json.ts'

/**
 * Google's JSON follows protobuf: each field can be written in camelCase or as in the proto file, and a list of one can omit its
 * brackets. https://protobuf.dev/programming-guides/json/
 */
export function fieldAt(value: unknown, camel: string): unknown {
  if (!isObject(value)) return undefined
  const found = value[camel] ?? value[snakeOf(camel)]
  return found === null ? undefined : found
}

/** True if a field is given in both spellings, of which vendors may read either. */
export function isTwice(value: unknown, camel: string): boolean {
  const snake = snakeOf(camel)
  return snake !== camel && isObject(value) && value[camel] !== undefined && value[snake] !== undefined
}

/** The object under a field, or an empty one. */
export function objectField(value: unknown, camel: string): JsonObject {
  const found = fieldAt(value, camel)
  return isObject(found) ? found : {}
}

/** The text under a field, if it is one and not empty. */
export function textField(value: unknown, camel: string): string | undefined {
  const found = fieldAt(value, camel)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** The number under a field; protobuf also accepts numbers as text. */
export function numberField(value: unknown, camel: string): number | undefined {
  return toNumber(fieldAt(value, camel))
}

export function toNumber(found: unknown): number | undefined {
  if (typeof found === 'number') return found
  return typeof found === 'string' && found.trim() !== '' && Number.isFinite(Number(found)) ? Number(found) : undefined
}

export function booleanField(value: unknown, camel: string): boolean | undefined {
  const found = fieldAt(value, camel)
  return typeof found === 'boolean' ? found : undefined
}

/** The list under a field; a lone object is a list of one. */
export function listField(value: unknown, camel: string): readonly unknown[] {
  const found = fieldAt(value, camel)
  if (Array.isArray(found)) return found
  return found === undefined ? [] : [found]
}

/** The texts in the list under a field. */
export function textsField(value: unknown, camel: string): string[] {
  return listField(value, camel).filter((text) => typeof text === 'string')
}

/** All fields except the named ones, in either spelling. */
export function withoutFields(value: JsonObject, camels: readonly string[]): JsonObject {
  const known = new Set(camels.flatMap((camel) => [camel, snakeOf(camel)]))
  return Object.fromEntries(Object.entries(value).filter(([name, inner]) => !known.has(name) && inner !== null && inner !== undefined))
}

const snakes = new Map<string, string>()

function snakeOf(camel: string): string {
  const known = snakes.get(camel)
  if (known !== undefined) return known
  const snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakes.set(camel, snake)
  return snake
}
