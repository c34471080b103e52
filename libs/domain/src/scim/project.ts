import { withoutUrn } from './read-resource.ts'
import { isRecord, type Resource, type Schema } from './schema.ts'

export type Wanted = { readonly attributes: readonly string[]; readonly excluded: readonly string[] }

export const listOfNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Only the wanted attributes: https://www.rfc-editor.org/rfc/rfc7644#section-3.9. `schemas` and `id` are always returned. */
export function project(schema: Schema, resource: Resource, { attributes, excluded }: Wanted): Resource {
  if (attributes.length === 0 && excluded.length === 0) return resource
  const named = (names: readonly string[]) => names.map((name) => withoutUrn(schema, name).toLowerCase().split('.'))
  const [wanted, unwanted] = [named(attributes), named(excluded)]
  const shown = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const key = name.toLowerCase()
    if (key === 'schemas' || key === 'id') return [[name, value]]
    const subsOf = (names: readonly (readonly string[])[]) => names.filter(([head]) => head === key).map(([, sub]) => sub)
    if (attributes.length > 0) {
      const subs = subsOf(wanted)
      if (subs.length === 0) return []
      return [[name, subs.includes(undefined) ? value : pick(value, (sub) => subs.includes(sub.toLowerCase()))]]
    }
    const subs = subsOf(unwanted)
    if (subs.includes(undefined)) return []
    return [[name, subs.length === 0 ? value : pick(value, (sub) => !subs.includes(sub.toLowerCase()))]]
  })
  return Object.fromEntries(shown)
}

function pick(value: unknown, isShown: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => pick(one, isShown))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([sub]) => isShown(sub)))
}
