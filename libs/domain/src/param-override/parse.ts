import { copiedHeader, isCredentialName, mayCopyClientHeader } from '@tollgate/contracts/channels/credential-names'
import { PRICED_OPTIONS } from '@tollgate/contracts/pricing/priced-options'
import { compilePattern } from '../regex/compile.ts'
import {
  CONDITION_MODES,
  HEADER_MODES,
  OPERATION_MODES,
  type Condition,
  type Operation,
  type ParamOverride,
  type ReturnedError,
  type Subject,
  type SyncedPlace,
} from './operation.ts'
import { isMembers, parsePath, type BodyPath } from './path.ts'

/** The faults of an operation; each has a text. */
export const OVERRIDE_FAULTS = [
  'list',
  'too-many',
  'object',
  'mode',
  'path',
  'value',
  'pattern',
  'error',
  'place',
  'place-header',
  'priced',
  'header',
  'header-secret',
  'conditions',
  'condition-mode',
  'condition-value',
  'condition-header',
  'condition-body',
  'logic',
] as const
export type OverrideFault = (typeof OVERRIDE_FAULTS)[number]
/** `path`: where in the override, from its top. */
export type FaultAt = { readonly fault: OverrideFault; readonly path: readonly (string | number)[] }

export type ParsedOverride = ParamOverride & { readonly faults: readonly FaultAt[] }

const MAX_OPERATIONS = 100
const NONE: readonly never[] = []
const NO_OVERRIDE: ParsedOverride = { members: {}, operations: NONE, faults: NONE }

/**
 * Reads a channel's `param_override`. Members beside `operations` replace those of the body; an operation with a fault is left out.
 * The shape is the one of https://docs.newapi.pro/en/docs/guide/console/channel-management (read 2026-11-23).
 */
export function parseParamOverride(override: Readonly<Record<string, unknown>>): ParsedOverride {
  if (!Object.hasOwn(override, 'operations')) return { ...NO_OVERRIDE, members: override }
  const { operations: list, ...members } = override
  if (!Array.isArray(list)) return { members, operations: NONE, faults: [{ fault: 'list', path: ['operations'] }] }
  if (list.length > MAX_OPERATIONS) return { members, operations: NONE, faults: [{ fault: 'too-many', path: ['operations'] }] }
  const operations: Operation[] = []
  const faults: FaultAt[] = []
  for (const [at, given] of list.entries()) {
    const read = parseOperation(given, at)
    if ('mode' in read) operations.push(read)
    else faults.push({ fault: read.fault, path: ['operations', at, ...read.path] })
  }
  return { members, operations, faults }
}

type Fault = { readonly fault: OverrideFault; readonly path: readonly (string | number)[] }
type Given = Readonly<Record<string, unknown>>
const fault = (name: OverrideFault, ...path: (string | number)[]): Fault => ({ fault: name, path })

function parseOperation(given: unknown, at: number): Operation | Fault {
  if (!isMembers(given)) return fault('object')
  const mode = OPERATION_MODES.find((known) => known === given['mode'])
  if (mode === undefined) return fault('mode', 'mode')
  const conditions = parseConditions(given)
  if ('fault' in conditions) return conditions
  const isHeader = HEADER_MODES.some((known) => known === mode)
  const ofBody = conditions.conditions.findIndex(({ subject }) => subject.kind === 'body')
  // Headers are made where a large body is not at hand.
  if (isHeader && ofBody !== -1) return fault('condition-body', 'conditions', ofBody, 'path')
  const parts = isHeader ? parseHeader(given, mode) : parseBodyParts(given, mode)
  if ('fault' in parts) return parts
  return { mode, at, ...EMPTY_PARTS, ...parts, value: given['value'], keep_origin: given['keep_origin'] === true, ...conditions }
}

type Parts = Partial<Pick<Operation, 'path' | 'from' | 'to' | 'header' | 'texts' | 'pattern' | 'pruned' | 'places' | 'error'>>
const EMPTY_PARTS = { path: NONE, from: NONE, to: NONE, header: '', texts: ['', ''] } as const

const NEEDS_VALUE = new Set(['set', 'append', 'prepend'])
const NEEDS_TEXT = new Set(['trim_prefix', 'trim_suffix', 'ensure_prefix', 'ensure_suffix'])

function parseBodyParts(given: Given, mode: Operation['mode']): Parts | Fault {
  if (mode === 'move' || mode === 'copy') return parseMove(given)
  if (mode === 'prune_objects') return parsePrune(given)
  if (mode === 'sync_fields') return parseSync(given)
  if (mode === 'return_error') return parseError(given['value'])
  const path = pathIn(given, 'path')
  if (path === undefined) return fault('path', 'path')
  if (NEEDS_VALUE.has(mode) && given['value'] === undefined) return fault('value', 'value')
  if (NEEDS_TEXT.has(mode) && !isFilled(given['value'])) return fault('value', 'value')
  if (mode !== 'replace' && mode !== 'regex_replace') return { path }
  const { from, to = '' } = given
  if (!isFilled(from)) return fault('value', 'from')
  if (typeof to !== 'string') return fault('value', 'to')
  if (mode === 'replace') return { path, texts: [from, to] }
  const pattern = compilePattern(from)
  return pattern === undefined ? fault('pattern', 'from') : { path, texts: [from, to], pattern }
}

/** Without a path, the whole body is searched. A text is the `type` of the objects. */
function parsePrune(given: Given): Parts | Fault {
  const path = given['path'] === undefined || given['path'] === '' ? NONE : pathIn(given, 'path')
  if (path === undefined) return fault('path', 'path')
  const { value, recursive = true } = given
  const members = isFilled(value) ? { type: value } : value
  if (!isMembers(members) || Object.keys(members).length === 0) return fault('value', 'value')
  return typeof recursive === 'boolean' ? { path, pruned: { members, is_recursive: recursive } } : fault('value', 'recursive')
}

function parseSync(given: Given): Parts | Fault {
  const from = placeOf(given['from'])
  if ('fault' in from) return fault(from.fault, 'from')
  const to = placeOf(given['to'])
  if ('fault' in to) return fault(to.fault, 'to')
  return { places: [from, to] }
}

/** Headers that belong to the connection. */
const FIXED_HEADERS = new Set(['host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'accept', 'accept-encoding'])

/** Reads `body:PATH` or `header:NAME`. */
function placeOf(given: unknown): SyncedPlace | Fault {
  const [, kind, text = ''] = (typeof given === 'string' ? /^(body|header):(.+)$/s.exec(given) : null) ?? []
  if (kind === 'header') {
    const name = text.trim().toLowerCase()
    if (!HEADER_NAME.test(name)) return fault('place')
    return mayCopyClientHeader(name) && !FIXED_HEADERS.has(name) ? { kind, name } : fault('place-header')
  }
  const path = kind === 'body' ? parsePath(text) : undefined
  if (path === undefined) return fault('place')
  return PRICED.has(path[0] ?? '') ? fault('priced') : { kind: 'body', path }
}

/** A text is the message of a 400. */
function parseError(value: unknown): Parts | Fault {
  const given = isFilled(value) ? { message: value } : value
  if (!isMembers(given)) return fault('error', 'value')
  const { message, status_code: status = 400, code = 'request_rejected', skip_retry = true } = given
  if (!isFilled(message)) return fault('error', 'value', 'message')
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599) return fault('error', 'value', 'status_code')
  const { type = typeOfStatus(status) } = given
  if (!isFilled(code)) return fault('error', 'value', 'code')
  if (!isFilled(type)) return fault('error', 'value', 'type')
  if (typeof skip_retry !== 'boolean') return fault('error', 'value', 'skip_retry')
  const error: ReturnedError = { status, message, code, type, skip_retry }
  return { error }
}

/** OpenAI's types: https://platform.openai.com/docs/guides/error-codes (read 2026-11-24). */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}
const typeOfStatus = (status: number): string => TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')

const PRICED: ReadonlySet<string> = new Set([...Object.keys(PRICED_OPTIONS), 'serviceTier'])

/** A client's own value must not become an option that the vendor charges by another price. */
function parseMove(given: Given): Parts | Fault {
  const from = pathIn(given, 'from')
  const to = pathIn(given, 'to')
  if (from === undefined) return fault('path', 'from')
  if (to === undefined) return fault('path', 'to')
  return PRICED.has(to[0] ?? '') ? fault('priced', 'to') : { from, to }
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/

/** Values of operations are shown in the console, so secrets and copies of client headers belong into the header override. */
function parseHeader(given: Given, mode: Operation['mode']): Parts | Fault {
  const { path, value } = given
  if (typeof path !== 'string' || !HEADER_NAME.test(path.trim())) return fault('header', 'path')
  const header = path.trim().toLowerCase()
  if (isCredentialName(header)) return fault('header-secret', 'path')
  if (mode === 'delete_header') return { header }
  if (!isFilled(value) || /[\r\n\0]/.test(value)) return fault('value', 'value')
  return copiedHeader(value) === undefined && !value.includes('{api_key}') ? { header } : fault('header-secret', 'value')
}

function parseConditions(given: Given): Pick<Operation, 'conditions' | 'isAll'> | Fault {
  const { conditions: list = NONE, logic = 'OR' } = given
  if (typeof logic !== 'string' || !/^(?:and|or)$/i.test(logic)) return fault('logic', 'logic')
  if (!Array.isArray(list)) return fault('conditions', 'conditions')
  const conditions: Condition[] = []
  for (const [at, one] of list.entries()) {
    const read = parseCondition(one)
    if ('fault' in read) return fault(read.fault, 'conditions', at, ...read.path)
    conditions.push(read)
  }
  return { conditions, isAll: logic.toLowerCase() === 'and' }
}

function parseCondition(given: unknown): Condition | Fault {
  if (!isMembers(given)) return fault('object')
  const mode = CONDITION_MODES.find((known) => known === given['mode'])
  if (mode === undefined) return fault('condition-mode', 'mode')
  const subject = typeof given['path'] === 'string' ? subjectOf(given['path']) : undefined
  if (subject === undefined) return fault('path', 'path')
  if (subject.kind === 'header' && !mayCopyClientHeader(subject.name)) return fault('condition-header', 'path')
  const { value } = given
  const isNumeric = mode.startsWith('g') || mode.startsWith('l')
  const isRight = isNumeric ? typeof value === 'number' : mode === 'full' ? value !== undefined : typeof value === 'string'
  if (!isRight) return fault('condition-value', 'value')
  return { subject, mode, value, invert: given['invert'] === true, pass_missing_key: given['pass_missing_key'] === true }
}

const HEADER_SUBJECT = /^request_headers\.(.+)$/s

/** A name of the call's own comes before a member of the body with this name. */
function subjectOf(text: string): Subject | undefined {
  const header = HEADER_SUBJECT.exec(text)?.[1]
  if (header !== undefined) return { kind: 'header', name: header.trim().toLowerCase() }
  if (text === 'original_model') return { kind: 'original-model' }
  if (text === 'upstream_model' || text === 'model') return { kind: 'upstream-model' }
  if (text === 'retry_index') return { kind: 'retry-index' }
  if (text === 'is_retry') return { kind: 'is-retry' }
  const path = parsePath(text)
  return path === undefined ? undefined : { kind: 'body', path }
}

function pathIn(given: Given, name: 'path' | 'from' | 'to'): BodyPath | undefined {
  const text = given[name]
  return typeof text === 'string' ? parsePath(text) : undefined
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''
