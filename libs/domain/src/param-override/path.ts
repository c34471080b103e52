/** A path into a JSON body: names of members and indexes of list entries, a negative index counting from the end. */
export type BodyPath = readonly string[]

type Value = unknown
type Members = Readonly<Record<string, Value>>

const MAX_PARTS = 32

/** Reads `messages.-1.content`; `\.` is a dot in a name. Undefined for an empty path, an empty part and more than 32 parts. */
export function parsePath(text: string): BodyPath | undefined {
  const parts = [...text.matchAll(/((?:\\.|[^.\\])*)(\.|$)/gsu)].map(([, part = '']) => part.replaceAll(/\\(.)/gsu, '$1'))
  // The last match is the empty one at the end of the text.
  const path = parts.slice(0, parts.length - (text.endsWith('.') ? 0 : 1))
  return path.length === 0 || path.length > MAX_PARTS || path.includes('') ? undefined : path
}

/** The value at a path; undefined if there is none. */
export function readAt(body: Value, path: BodyPath): Value {
  let value = body
  for (const part of path) {
    if (Array.isArray(value)) value = value[indexOf(value, part) ?? value.length]
    else if (isMembers(value) && Object.hasOwn(value, part)) value = value[part]
    else return undefined
  }
  return value
}

/**
 * The body with a value at a path. Missing objects on the way are created; a list takes an index that it has, or its length.
 * Returns the same body if the path crosses a text, a number or a missing entry of a list.
 */
export function writeAt<T>(body: T, path: BodyPath, value: Value): T {
  return change(body, path, () => value) as T // only what is below the path changes
}

/** The body without the member or entry at a path; the same body if there is none. */
export function removeAt<T>(body: T, path: BodyPath): T {
  if (readAt(body, path) === undefined) return body
  const name = path.at(-1) ?? ''
  const parent = path.slice(0, -1)
  const holder = readAt(body, parent)
  const rest = Array.isArray(holder)
    ? holder.toSpliced(indexOf(holder, name) ?? holder.length, 1)
    : Object.fromEntries(Object.entries(isMembers(holder) ? holder : {}).filter(([key]) => key !== name))
  return writeAt(body, parent, rest)
}

function change(value: Value, [part, ...rest]: BodyPath, make: () => Value): Value {
  if (part === undefined) return make()
  if (Array.isArray(value)) {
    const index = indexOf(value, part)
    if (index === undefined || index > value.length) return value
    const entry: Value = value[index]
    const changed = change(entry, rest, make)
    return changed === entry || changed === undefined ? value : value.toSpliced(index, 1, changed)
  }
  if (value !== undefined && !isMembers(value)) return value
  const own = value !== undefined && Object.hasOwn(value, part) ? value[part] : undefined
  const changed = change(own, rest, make)
  return changed === own || changed === undefined ? value : { ...value, [part]: changed }
}

/** The place of an entry; undefined for text that is no index, or before the first entry. */
function indexOf(list: readonly Value[], part: string): number | undefined {
  if (!/^-?\d{1,9}$/.test(part)) return undefined
  const index = Number(part)
  const place = index < 0 || part.startsWith('-') ? list.length + index : index
  return place < 0 ? undefined : place
}

export function isMembers(value: Value): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
