/** Names that the parts of one event share, so that each is written once. */
export type SharedNames = { model: string; group: string; upstream_model: string; channel_name: string }

/** For parts that look at no name. */
export const NO_NAMES: SharedNames = { model: '', group: '', upstream_model: '', channel_name: '' }

/**
 * `encode` gives JSON text. `decode` never throws: a value of another shape comes out as it is or as undefined, and the event's schema
 * refuses it.
 */
export type Codec<T> = {
  readonly encode: (value: T, names: SharedNames) => string
  readonly decode: (json: unknown, names: SharedNames) => unknown
}

/** JSON has no infinity and no NaN; null is refused where the event is read. */
export const jsonOf = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? `${value}` : (JSON.stringify(value) ?? 'null')

/** An optional member of a record; empty where it is absent. */
export const optionalText = (place: number, value: unknown): string =>
  value === undefined || value === null ? '' : `,${place},${jsonOf(value)}`

/** A value whose JSON is short already. */
export const plain: Codec<unknown> = { encode: jsonOf, decode: (json) => json }

export const flag: Codec<boolean> = {
  encode: (value) => (value ? '1' : '0'),
  decode: (json) => (json === 1 ? true : json === 0 ? false : undefined),
}

/** The place of a text in a list that only grows. A text that the list lacks is written as it is. */
export function oneOf<T extends string>(values: readonly T[]): Codec<string> {
  const places = new Map<string, string>(values.map((value, place) => [value, String(place)]))
  return {
    encode: (value) => places.get(value) ?? JSON.stringify(value),
    decode: (json) => (typeof json === 'number' ? values[json] : json),
  }
}

/** 0 for a name that the event has already stated. */
export function sameAs(name: keyof SharedNames): Codec<string> {
  return {
    encode: (value, names) => (value === names[name] ? '0' : JSON.stringify(value)),
    decode: (json, names) => (json === 0 ? names[name] : json),
  }
}

export function listOf<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    encode: (values, names) => {
      let line = '['
      for (const [at, value] of values.entries()) line += at === 0 ? item.encode(value, names) : `,${item.encode(value, names)}`
      return `${line}]`
    },
    decode: (json, names) => (Array.isArray(json) ? json.map((value: unknown) => item.decode(value, names)) : undefined),
  }
}

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]
type Present<T> = Exclude<T, null | undefined>
type RequiredFields<T> = { readonly [K in Exclude<keyof T, OptionalKey<T>>]: Codec<Present<T[K]>> }
type OptionalFields<T> = { readonly [K in OptionalKey<T>]: Codec<Present<T[K]>> }

type Field = Codec<unknown> & { readonly name: string }

const fieldsOf = (codecs: Readonly<Record<string, Codec<never>>>): Field[] =>
  // Each codec gets only the field that it is declared for.
  Object.entries(codecs as Readonly<Record<string, Codec<unknown>>>).map(([name, { encode, decode }]) => ({ name, encode, decode }))

const encodeByNames =
  (fixed: readonly Field[], extra: readonly Field[]): Codec<object>['encode'] =>
  (value, names) => {
    // The declared names are those of the value's type.
    const members = value as Readonly<Record<string, unknown>>
    let line = ''
    for (const { name, encode } of fixed) line += `,${encode(members[name], names)}`
    for (const [place, { name, encode }] of extra.entries()) {
      const member = members[name]
      if (member !== undefined && member !== null) line += `,${place},${encode(member, names)}`
    }
    return `[${line.slice(1)}]`
  }

/**
 * An array: the required fields in their declared order, then place and value of each optional field that is present. Null counts as
 * absent. A field keeps its place; a new one is optional and stands at the end, where a reader that does not know it skips it.
 */
export function record<T extends object>(
  required: RequiredFields<T>,
  optional: OptionalFields<T>,
  /** The same text from direct member access, for records of every request: a loop over names costs twice as much. */
  encode?: Codec<T>['encode'],
): Codec<T> {
  const fixed = fieldsOf(required)
  const extra = fieldsOf(optional)
  return {
    encode: encode ?? encodeByNames(fixed, extra),
    decode: (json, names) => {
      if (!Array.isArray(json)) return undefined
      const line: readonly unknown[] = json
      const members: Record<string, unknown> = {}
      fixed.forEach(({ name, decode }, place) => (members[name] = decode(line[place], names)))
      for (let at = fixed.length; at + 1 < line.length; at += 2) {
        const field = extra[Number(line[at])]
        if (field !== undefined) members[field.name] = field.decode(line[at + 1], names)
      }
      return members
    },
  }
}
