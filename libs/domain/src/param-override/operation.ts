import type { Program } from '../regex/program.ts'
import type { BodyPath } from './path.ts'

/** Operations on the body of a call; `return_error` ends the call, and `sync_fields` can set a header. */
export const BODY_MODES = [
  'set',
  'delete',
  'move',
  'copy',
  'append',
  'prepend',
  'trim_prefix',
  'trim_suffix',
  'ensure_prefix',
  'ensure_suffix',
  'trim_space',
  'to_lower',
  'to_upper',
  'replace',
  'regex_replace',
  'prune_objects',
  'sync_fields',
  'return_error',
] as const
/** Operations on its headers. */
export const HEADER_MODES = ['set_header', 'delete_header'] as const
export const OPERATION_MODES = [...BODY_MODES, ...HEADER_MODES] as const
export type OperationMode = (typeof OPERATION_MODES)[number]

export const CONDITION_MODES = ['full', 'prefix', 'suffix', 'contains', 'gt', 'gte', 'lt', 'lte'] as const
export type ConditionMode = (typeof CONDITION_MODES)[number]

/** Subject of a condition: a place of the body, or a fact of the call. */
export type Subject =
  | { readonly kind: 'body'; readonly path: BodyPath }
  /** The model that the client named, and its name at the vendor. */
  | { readonly kind: 'original-model' }
  | { readonly kind: 'upstream-model' }
  /** 0 at the first attempt. */
  | { readonly kind: 'retry-index' }
  | { readonly kind: 'is-retry' }
  | { readonly kind: 'header'; readonly name: string }

export type Condition = {
  readonly subject: Subject
  readonly mode: ConditionMode
  readonly value: unknown
  readonly invert: boolean
  /** The result if the subject is missing. */
  readonly pass_missing_key: boolean
}

/** One of the two places that `sync_fields` keeps equal. */
export type SyncedPlace = { readonly kind: 'body'; readonly path: BodyPath } | { readonly kind: 'header'; readonly name: string }

/** The error that `return_error` answers with. */
export type ReturnedError = {
  /** 400 to 599. */
  readonly status: number
  readonly message: string
  readonly code: string
  readonly type: string
  /** The client gets the error at once; else another channel is tried first. */
  readonly skip_retry: boolean
}

export type Operation = {
  readonly mode: OperationMode
  /** Its place in the list, for warnings. */
  readonly at: number
  readonly path: BodyPath
  /** Source of `move` and `copy`. */
  readonly from: BodyPath
  readonly to: BodyPath
  /** Lower case; of header operations. */
  readonly header: string
  readonly value: unknown
  /** The texts of `replace`; the second one is also the replacement of `regex_replace`. */
  readonly texts: readonly [string, string]
  /** Pattern of `regex_replace`. */
  readonly pattern?: Program
  /** `prune_objects`: the members by which objects are removed, and whether they are looked for at every depth. */
  readonly pruned?: { readonly members: Readonly<Record<string, unknown>>; readonly is_recursive: boolean }
  /** The two places of `sync_fields`. */
  readonly places?: readonly [SyncedPlace, SyncedPlace]
  /** Error of `return_error`. */
  readonly error?: ReturnedError
  /** `set`: keep a value that is there; merges: keep members that are there. */
  readonly keep_origin: boolean
  readonly conditions: readonly Condition[]
  readonly isAll: boolean
}

/** A channel's `param_override`: members that replace those of the body, then operations in their order. */
export type ParamOverride = {
  readonly members: Readonly<Record<string, unknown>>
  readonly operations: readonly Operation[]
}

/** The facts of a call that conditions can name. */
export type CallConditions = {
  readonly original_model: string
  readonly upstream_model: string
  readonly retry_index: number
  /** The client's header, by its name in lower case; empty: not sent. */
  readonly header: (name: string) => string
}
