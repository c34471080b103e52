import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@tollgate/contracts/app-error'
import { ownValue } from '@tollgate/contracts/values/own-value'
import type { EditConflict, SeenRow } from '@tollgate/contracts/values/seen-row'

/** Fields that are lists separated by commas. */
const LISTS: ReadonlySet<string> = new Set(['models', 'group', 'groups', 'model_limits'])

/**
 * Fields that the caller of an edit changed itself, by what its form showed: the other fields keep what was saved meanwhile. Throws with
 * the fields that another caller changed too. Without `was` the whole body counts, as existing consoles expect.
 */
export function ownEdits<Body extends { readonly was?: SeenRow }>(body: Body, now: Readonly<Record<string, unknown>>): Body {
  const { was } = body
  if (was === undefined) return body
  const fields = Object.entries(body).filter(([field]) => field !== 'was')
  const isSeen = (field: string): boolean => Object.hasOwn(was, field) && Object.hasOwn(now, field)
  const changed = fields.filter(([field, value]) => !isSeen(field) || !isSame(value, was[field]))
  const conflicts = changed.flatMap(([field, yours]): EditConflict[] => {
    const [before, current] = [ownValue(was, field), ownValue(now, field)]
    if (!isSeen(field) || isSame(before, current) || isSame(yours, current)) return []
    const conflict = { field, was: before, now: current, yours }
    return [LISTS.has(field) ? { ...conflict, merged: merged(textOf(before), textOf(current), textOf(yours)) } : conflict]
  })
  if (conflicts.length > 0) {
    const names = conflicts.map(({ field }) => field).join(', ')
    throw new AppError('edit.changed-meanwhile', { fields: names }, { console: 409, data: { conflicts } })
  }
  // Only fields of the body are left out, all of which may be absent.
  return Object.fromEntries(changed) as Body
}

/** A form shows an empty text where a row has none. Lists and objects are the same when their contents are. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? '', b ?? '')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function merged(before: string, current: string, yours: string): string {
  const [was, now, own] = [before, current, yours].map((text) => text.split(',').filter((entry) => entry !== ''))
  const added = (own ?? []).filter((entry) => was?.includes(entry) !== true && now?.includes(entry) !== true)
  const kept = (now ?? []).filter((entry) => was?.includes(entry) !== true || own?.includes(entry) === true)
  return [...kept, ...added].join(',')
}
