import fc from 'fast-check'
import { KEYS, oddValue, toJsonText } from './values.ts'

/** One change of a JSON value. `at` selects the place modulo the number of places, so a change applies to any value. */
export type TreeChange =
  | { readonly kind: 'replace'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'add'; readonly at: number; readonly key: string; readonly value: unknown }
  | { readonly kind: 'wrap'; readonly at: number; readonly isList: boolean }
  | { readonly kind: 'unwrap'; readonly at: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly times: number }
  | { readonly kind: 'rename'; readonly at: number; readonly key: string }

/** One change of the encoded text. */
export type TextChange =
  | { readonly kind: 'truncate'; readonly share: number }
  | { readonly kind: 'flip'; readonly share: number; readonly bit: number }
  | { readonly kind: 'insert'; readonly share: number; readonly text: string }
  | { readonly kind: 'double-key'; readonly at: number; readonly value: unknown; readonly isUpper: boolean }
  | { readonly kind: 'encode'; readonly as: 'utf16' | 'bom' | 'latin1' | 'bad-utf8' }

const at = fc.nat({ max: 10_000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

export const treeChange: fc.Arbitrary<TreeChange> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('replace' as const), at, value: oddValue }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      at,
      key: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.string({ maxLength: 8 }) }),
      value: oddValue,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wrap' as const), at, isList: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unwrap' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), at, times: fc.constantFrom(2, 10, 130, 1000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), at, key: fc.constantFrom(...KEYS) }) },
)

export const textChange: fc.Arbitrary<TextChange> = fc.oneof(
  fc.record({ kind: fc.constant('truncate' as const), share }),
  fc.record({ kind: fc.constant('flip' as const), share, bit: fc.nat({ max: 7 }) }),
  fc.record({
    kind: fc.constant('insert' as const),
    share,
    text: fc.constantFrom(
      ',',
      '{',
      '}',
      ']',
      '"',
      '\u0000',
      '\\',
      '\\u',
      'null',
      ' ',
      '\n',
      '//',
      '1e999',
      '[['.repeat(50),
      '['.repeat(3000),
    ),
  }),
  fc.record({ kind: fc.constant('double-key' as const), at, value: oddValue, isUpper: fc.boolean() }),
  fc.record({ kind: fc.constant('encode' as const), as: fc.constantFrom('utf16', 'bom', 'latin1', 'bad-utf8') }),
)

type Place = { readonly parent: Record<string, unknown> | unknown[]; readonly key: string | number }
const MAX_PLACES = 2000

/** Applies the changes to a copy. */
export function changeTree(value: unknown, changes: readonly TreeChange[]): unknown {
  const root = { value: structuredClone(value) }
  for (const change of changes) {
    const places = placesIn(root)
    const place = places[change.at % places.length]
    // Cloned, because a later change may apply inside the value of an earlier one.
    if (place !== undefined) applyTo(place, structuredClone(change))
  }
  return root.value
}

function placesIn(root: Record<string, unknown>): Place[] {
  const places: Place[] = []
  const walk = (parent: Record<string, unknown> | unknown[], depth: number): void => {
    const keys: (string | number)[] = Array.isArray(parent) ? [...parent.keys()].slice(0, 20) : Object.keys(parent)
    for (const key of keys) {
      if (places.length >= MAX_PLACES) return
      places.push({ parent, key })
      const inner = read({ parent, key })
      if (isContainer(inner) && depth < 12) walk(inner, depth + 1)
    }
  }
  walk(root, 0)
  return places
}

const isContainer = (value: unknown): value is Record<string, unknown> | unknown[] => typeof value === 'object' && value !== null

function read({ parent, key }: Place): unknown {
  return Array.isArray(parent) ? parent[Number(key)] : parent[key]
}

/** Sets an own property, `__proto__` included. */
function write({ parent, key }: Place, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })
}

function applyTo(place: Place, change: TreeChange): void {
  const inner = read(place)
  if (change.kind === 'replace') write(place, change.value)
  else if (change.kind === 'remove') remove(place)
  else if (change.kind === 'wrap') write(place, change.isList ? [inner] : { value: inner })
  else if (change.kind === 'unwrap') write(place, isContainer(inner) ? Object.values(inner)[0] : inner)
  else if (change.kind === 'repeat') write(place, repeat(inner, change.times))
  else if (change.kind === 'rename') {
    remove(place)
    write({ parent: place.parent, key: Array.isArray(place.parent) ? place.key : change.key }, inner)
  } else if (isContainer(inner)) {
    if (Array.isArray(inner)) inner.push(change.value)
    else write({ parent: inner, key: change.key }, change.value)
  } else write(place, { [change.key]: change.value })
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

/** Length of the JSON text of a repeated value, which a change may at most reach. */
const MAX_REPEATED = 4_000_000

function repeat(value: unknown, times: number): unknown {
  const most = Math.min(times, Math.max(1, Math.floor(MAX_REPEATED / toJsonText(value).length)))
  if (Array.isArray(value)) return copies(value, Math.min(most, Math.ceil(20_000 / Math.max(1, value.length)))).flat()
  if (typeof value === 'string') return value.repeat(Math.min(most, Math.ceil(200_000 / Math.max(1, value.length))))
  return copies(value, most)
}

/** Not the same value each time: a later change inside one of them must not grow all of them. */
function copies<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => structuredClone(value))
}

/** Encodes the value and applies the changes to its bytes. */
export function encodeChanged(value: unknown, changes: readonly TextChange[]): Buffer {
  let bytes: Buffer = Buffer.from(toJsonText(value))
  for (const change of changes) bytes = changeBytes(bytes, change)
  return bytes
}

export function changeBytes(bytes: Buffer, change: TextChange): Buffer {
  if (change.kind === 'encode') return encodeAs(bytes, change.as)
  if (change.kind === 'double-key') return doubleKey(bytes, change)
  const place = Math.min(bytes.length, Math.floor(change.share * bytes.length))
  if (change.kind === 'truncate') return bytes.subarray(0, place)
  if (change.kind === 'insert') return Buffer.concat([bytes.subarray(0, place), Buffer.from(change.text), bytes.subarray(place)])
  const copy = Buffer.from(bytes)
  const byte = copy[place]
  if (byte !== undefined) copy[place] = byte ^ (1 << change.bit)
  return copy
}

function encodeAs(bytes: Buffer, as: Extract<TextChange, { kind: 'encode' }>['as']): Buffer {
  if (as === 'utf16') return Buffer.from(bytes.toString(), 'utf16le')
  if (as === 'latin1') return Buffer.from(`${bytes.toString()}é`, 'latin1')
  if (as === 'bom') return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
  return Buffer.concat([bytes.subarray(0, bytes.length >> 1), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(bytes.length >> 1)])
}

/** Writes a second member of the same name into the first object. */
function doubleKey(bytes: Buffer, { at: place, value, isUpper }: Extract<TextChange, { kind: 'double-key' }>): Buffer {
  const source = bytes.toString()
  const names = [...source.slice(0, 5000).matchAll(/"([\w$]+)":/g)].map(([, name = '']) => name)
  const name = names[place % Math.max(1, names.length)] ?? 'model'
  const member = `${JSON.stringify(isUpper ? name.toUpperCase() : name)}:${toJsonText(value)}`
  return Buffer.from(source.replace(/^\{/, (brace) => `${brace}${member},`))
}
