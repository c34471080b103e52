import { isMembers } from './path.ts'

/** Equal as JSON, whatever the order of members. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) || Array.isArray(right))
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((one, at) => isEqual(one, right[at]))
  if (!isMembers(left) || !isMembers(right)) return false
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
}
