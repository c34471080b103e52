import { isDeeperThan, MAX_JSON_DEPTH } from '@tollgate/contracts/values/json-depth'

export type JsonObject = { readonly [key: string]: unknown }

/** The given members, as far as the object has them, in its order. */
export function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** True for a JSON object, false for arrays and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Shorter texts cannot be nested too deeply. */
const MIN_DEEP = 2 * MAX_JSON_DEPTH

/** Parses untrusted JSON text; undefined if it is invalid or nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return text.length > MIN_DEEP && isDeeperThan(value, MAX_JSON_DEPTH) ? undefined : value
  } catch {
    // Expected for untrusted text; the caller handles undefined.
    return undefined
  }
}

/** Parses untrusted JSON text; undefined if it is not an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

const EMPTY: JsonObject = Object.freeze({})

/** The object under a key, or an empty object. */
export function objectAt(value: unknown, key: string): JsonObject {
  const inner = isObject(value) ? value[key] : undefined
  return isObject(inner) ? inner : EMPTY
}

const NONE: readonly never[] = Object.freeze([])

/** The list under a key, or an empty one. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const inner = isObject(value) ? value[key] : undefined
  return Array.isArray(inner) ? inner : NONE
}

/** The objects in the list under a key. */
export function objectsAt(value: unknown, key: string): readonly JsonObject[] {
  const list = listAt(value, key)
  return list.length === 0 ? NONE : list.filter(isObject)
}

/** The non-empty string under a key, if there is one. */
export function textAt(value: unknown, key: string): string | undefined {
  const inner = isObject(value) ? value[key] : undefined
  return typeof inner === 'string' && inner !== '' ? inner : undefined
}

/** A vendor's count under a key: 0 for missing, negative or invalid numbers; fractions are truncated. */
export function countAt(value: unknown, key: string): number {
  return statedCountAt(value, key) ?? 0
}

/** A count that the vendor stated: a number, or a text that is a whole number; undefined for anything else, such as a negative one. */
export function statedCountAt(value: unknown, key: string): number | undefined {
  const inner = isObject(value) ? value[key] : undefined
  const count = typeof inner === 'string' && /^\d{1,16}$/.test(inner) ? Number(inner) : inner
  return typeof count === 'number' && count >= 0 && count <= Number.MAX_SAFE_INTEGER ? Math.floor(count) : undefined
}

/**
 * The two sums of a usage object. One that is not stated follows from the total, if that is there; otherwise it is 0 and named as missing,
 * so that the gateway estimates it. `apart`: what the total includes beside them.
 */
export function readSums(
  stated: { readonly prompt: number | undefined; readonly completion: number | undefined; readonly total: number | undefined },
  apart = 0,
): { readonly prompt: number; readonly completion: number; readonly missing?: readonly MissingCount[] } {
  const { prompt, completion, total } = stated
  const rest = (known: number | undefined) => (known === undefined || total === undefined ? undefined : Math.max(total - known - apart, 0))
  const sums = { prompt: prompt ?? rest(completion), completion: completion ?? rest(prompt) }
  const missing = (['prompt', 'completion'] as const).filter((name) => sums[name] === undefined)
  return { prompt: sums.prompt ?? 0, completion: sums.completion ?? 0, ...(missing.length === 0 ? {} : { missing }) }
}

export type MissingCount = 'prompt' | 'completion'
