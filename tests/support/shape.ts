/** Kinds of JSON values, independent of the schemas under test. */
const KINDS = ['int', 'number', 'text', 'flag', 'list', 'object', 'null'] as const
type Kind = (typeof KINDS)[number]
export type Shape = Readonly<Record<string, Kind>>

/** Parses `{ int: 'id user_id', text: 'name' }` into the kind of each field. */
export function shapeOf(fields: Readonly<Partial<Record<Kind, string>>>): Shape {
  return Object.fromEntries(KINDS.flatMap((kind) => (fields[kind] ?? '').split(' ').flatMap((name) => (name === '' ? [] : [[name, kind]]))))
}

/** Missing fields, fields of another kind, unknown fields. Empty if `value` has exactly this shape. */
export function misfits(value: unknown, shape: Shape): string[] {
  if (kindOf(value) !== 'object') return [`not an object: ${JSON.stringify(value)}`]
  // Checked to be an object above.
  const fields = new Map(Object.entries(value as object))
  const wrong = Object.entries(shape).flatMap(([name, kind]) => {
    if (!fields.has(name)) return [`${name} is missing`]
    const found = kindOf(fields.get(name))
    return found === kind || (found === 'int' && kind === 'number') ? [] : [`${name} is ${found}, not ${kind}`]
  })
  const unknown = [...fields.keys()].filter((name) => !(name in shape)).map((name) => `${name} is unknown`)
  return [...wrong, ...unknown]
}

function kindOf(value: unknown): Kind | 'absent' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int' : 'number'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'flag'
  return typeof value === 'object' ? 'object' : 'absent'
}
