import { isEqual } from './equal.ts'
import type { Operation } from './operation.ts'
import { isMembers, readAt, writeAt, type BodyPath } from './path.ts'

type Pruned = NonNullable<Operation['pruned']>
type Body = Readonly<Record<string, unknown>>

/** Objects below this depth stay. */
const MAX_DEPTH = 32

/**
 * Removes the objects below a path that have all of the given members: entries of lists, and members of objects. The value at the path
 * itself stays, and so do lists and objects that become empty.
 */
export function pruneObjects(body: Body, path: BodyPath, pruned: Pruned): Body {
  const value = readAt(body, path)
  const kept = without(value, pruned, 0)
  if (kept === value) return body
  return path.length === 0 && isMembers(kept) ? kept : writeAt(body, path, kept)
}

/** The value without such objects; the same value if it holds none. */
function without(value: unknown, pruned: Pruned, depth: number): unknown {
  if (depth >= MAX_DEPTH || typeof value !== 'object' || value === null) return value
  const isKept = (one: unknown): boolean => !matches(one, pruned.members)
  const inner = (one: unknown): unknown => (pruned.is_recursive ? without(one, pruned, depth + 1) : one)
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value
    const kept = entries.filter(isKept).map(inner)
    return isSame(entries, kept) ? entries : kept
  }
  const members = Object.entries(value)
  const kept = members.filter(([, one]) => isKept(one)).map(([name, one]) => [name, inner(one)] as const)
  const isUnchanged = kept.length === members.length && kept.every(([, one], at) => one === members[at]?.[1])
  return isUnchanged ? value : Object.fromEntries(kept)
}

const isSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((one, at) => one === right[at])

function matches(value: unknown, members: Pruned['members']): boolean {
  return isMembers(value) && Object.entries(members).every(([name, wanted]) => Object.hasOwn(value, name) && isEqual(value[name], wanted))
}
