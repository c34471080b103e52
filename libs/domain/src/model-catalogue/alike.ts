import { ownValue } from '@tollgate/contracts/values/own-value'

type Entries = Readonly<Record<string, unknown>>

/** Equal but for the last digits of a division. */
export function isAlike(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left))
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => isAlike(ownValue(left as Entries, key), ownValue(right as Entries, key))) // both are objects
}
