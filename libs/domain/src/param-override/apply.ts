import { replacePattern, type StepBudget } from '../regex/replace.ts'
import { isEqual } from './equal.ts'
import type { CallConditions, Condition, Operation, ParamOverride, ReturnedError } from './operation.ts'
import { isMembers, readAt, removeAt, writeAt, type BodyPath } from './path.ts'
import { pruneObjects } from './prune.ts'
import { syncFields } from './sync.ts'

type Body = Readonly<Record<string, unknown>>

/** A call after an override. */
export type Overridden = {
  readonly body: Body
  /** Headers that `sync_fields` adds to the call unless it has them. */
  readonly headers: Readonly<Record<string, string>>
  /** The call is not made; `at` is the place of the operation in the list. */
  readonly returned?: { readonly error: ReturnedError; readonly at: number }
  /** Operations that were left out. */
  readonly warnings: readonly string[]
}

/** Steps of all patterns of one call; the slowest patterns took 61 ms for them. */
const MAX_PATTERN_STEPS = 2_000_000

/**
 * A call after a channel's override: its members first, then its operations in order. The body stays the same object if nothing changes,
 * so that a client's bytes can be kept. An operation that does not fit the value at its path changes nothing.
 */
export function overrideBody(body: Body, { members, operations }: ParamOverride, call: CallConditions): Overridden {
  let changed = hasMembers(members) ? { ...body, ...members } : body
  let headers: Overridden['headers'] = {}
  const warnings: string[] = []
  const budget = { left: MAX_PATTERN_STEPS }
  for (const operation of operations) {
    if (!meets(operation, changed, call)) continue
    const { error, places, pattern, at } = operation
    if (error !== undefined) return { body: changed, headers, returned: { error, at }, warnings }
    if (places !== undefined) ({ body: changed, headers } = syncFields({ body: changed, headers }, places, call))
    else if (pattern !== undefined) changed = replaceIn(changed, { ...operation, pattern }, { budget, warnings })
    else changed = applyTo(changed, operation)
  }
  return { body: changed, headers, warnings }
}

type PatternOperation = Operation & Required<Pick<Operation, 'pattern'>>
type Limits = { readonly budget: StepBudget; readonly warnings: string[] }

/** A text that takes more steps than are left stays as it is. */
function replaceIn(body: Body, { path, pattern, texts: [, to], at, mode }: PatternOperation, { budget, warnings }: Limits): Body {
  const text = readAt(body, path)
  if (typeof text !== 'string') return body
  const replaced = replacePattern(text, pattern, to, budget)
  if (replaced === undefined) warnings.push(`operations.${at} (${mode})`)
  return replaced === undefined || replaced === text ? body : writeAt(body, path, replaced)
}

/** The headers of a call after a channel's header operations; the same object if there are none. */
export function overrideHeaders(
  headers: Readonly<Record<string, string>>,
  { operations }: ParamOverride,
  call: CallConditions,
): Readonly<Record<string, string>> {
  let changed = headers
  for (const operation of operations) {
    if (operation.header === '' || !meets(operation, NO_BODY, call)) continue
    const { [operation.header]: present, ...others } = changed
    if (operation.mode === 'delete_header') changed = others
    else if (!operation.keep_origin || present === undefined) changed = { ...others, [operation.header]: String(operation.value) }
  }
  return changed
}

/** Conditions of header operations read the call only. */
const NO_BODY: Body = {}

const hasMembers = (members: Body): boolean => {
  for (const _ in members) return true
  return false
}

function meets({ conditions, isAll }: Operation, body: Body, call: CallConditions): boolean {
  if (conditions.length === 0) return true
  const isMet = (condition: Condition) => holds(condition, body, call)
  return isAll ? conditions.every(isMet) : conditions.some(isMet)
}

function holds({ subject, mode, value, invert, pass_missing_key }: Condition, body: Body, call: CallConditions): boolean {
  const found = subjectIn(subject, body, call)
  if (found === undefined) return pass_missing_key
  return compare(mode, found, value) !== invert
}

function subjectIn(subject: Condition['subject'], body: Body, call: CallConditions): unknown {
  switch (subject.kind) {
    case 'body':
      return readAt(body, subject.path)
    case 'original-model':
      return call.original_model
    case 'upstream-model':
      return call.upstream_model
    case 'retry-index':
      return call.retry_index
    case 'is-retry':
      return call.retry_index > 0
    case 'header':
      return call.header(subject.name) || undefined
  }
}

function compare(mode: Condition['mode'], found: unknown, wanted: unknown): boolean {
  if (mode === 'full') return isEqual(found, wanted)
  if (typeof wanted === 'number') return typeof found === 'number' && compareNumbers(mode, found, wanted)
  const text = textOf(found)
  const part = String(wanted)
  if (mode === 'prefix') return text.startsWith(part)
  return mode === 'suffix' ? text.endsWith(part) : text.includes(part)
}

function compareNumbers(mode: Condition['mode'], found: number, wanted: number): boolean {
  if (mode === 'gt') return found > wanted
  if (mode === 'gte') return found >= wanted
  return mode === 'lt' ? found < wanted : found <= wanted
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function applyTo(body: Body, operation: Operation): Body {
  const { mode, path, from, to, value, keep_origin } = operation
  if (operation.header !== '') return body
  if (mode === 'set') return keep_origin && readAt(body, path) !== undefined ? body : write(body, path, value)
  if (mode === 'delete') return removeAt(body, path)
  if (operation.pruned !== undefined) return pruneObjects(body, path, operation.pruned)
  if (mode === 'move' || mode === 'copy') {
    const found = readAt(body, from)
    if (found === undefined || from.join('\0') === to.join('\0')) return body
    const written = write(body, to, found)
    // A target that cannot be written keeps the source.
    return mode === 'copy' || written === body ? written : removeMoved(written, { from, to })
  }
  if (mode === 'append' || mode === 'prepend') return write(body, path, joined(readAt(body, path), operation))
  const text = readAt(body, path)
  return typeof text === 'string' ? write(body, path, textAfter(text, operation)) : body
}

function write(body: Body, path: BodyPath, value: unknown): Body {
  return isEqual(readAt(body, path), value) ? body : writeAt(body, path, value)
}

/** A target inside the source has replaced a part of it, which stays. */
function removeMoved(body: Body, { from, to }: Pick<Operation, 'from' | 'to'>): Body {
  return from.every((part, at) => part === to[at]) ? body : removeAt(body, from)
}

/** Text is joined, entries are added to a list, members to an object; a missing value is set. */
function joined(found: unknown, { mode, value, keep_origin }: Operation): unknown {
  const isAppended = mode === 'append'
  if (found === undefined) return value
  if (typeof found === 'string' && typeof value === 'string') return isAppended ? found + value : value + found
  if (Array.isArray(found)) {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
    return isAppended ? [...(found as readonly unknown[]), ...entries] : [...entries, ...(found as readonly unknown[])]
  }
  if (isMembers(found) && isMembers(value)) return keep_origin ? { ...value, ...found } : { ...found, ...value }
  return found
}

function textAfter(text: string, { mode, value, texts: [from, to] }: Operation): string {
  const part = typeof value === 'string' ? value : ''
  switch (mode) {
    case 'trim_prefix':
      return text.startsWith(part) ? text.slice(part.length) : text
    case 'trim_suffix':
      return text.endsWith(part) ? text.slice(0, text.length - part.length) : text
    case 'ensure_prefix':
      return text.startsWith(part) ? text : part + text
    case 'ensure_suffix':
      return text.endsWith(part) ? text : text + part
    case 'trim_space':
      return text.trim()
    case 'to_lower':
      return text.toLowerCase()
    case 'to_upper':
      return text.toUpperCase()
    case 'replace':
      return text.replaceAll(from, () => to)
    default:
      return text
  }
}
