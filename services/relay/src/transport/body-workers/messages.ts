import type { ErrorCode } from '@tollgate/contracts/errors'
import type { RequestFacts, RouteFacts } from '@tollgate/providers/chat/model-request'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { Encoded, TranslatorInput } from '@tollgate/providers/operations/operation'
import type { ApiFormat } from '@tollgate/providers/operations/api-format'
import type { JsonObject } from '@tollgate/providers/json'
import type { Family } from '@tollgate/domain/pricing/estimate'
import type { PrepareInput } from '@tollgate/upstream/prepare'
import type { operations } from '../../client-apis/operations.ts'

/** What relay and thread say to each other. Nothing here is a tree of a body: handing one over costs more than parsing it. */
export type OperationKey = keyof typeof operations

/** A body that came whole. Its bytes are shared, and nobody writes to them. */
export type ReadTask = {
  readonly kind: 'read'
  readonly operation: OperationKey
  readonly route: RouteFacts
  readonly bytes: Uint8Array
  /** Whose conversations its number is to be told apart from. */
  readonly user_id: number
}

/** What a request is, without its content. */
export type ReadFacts = {
  readonly facts: RequestFacts
  readonly prompt_tokens: number
  readonly has_sensitive: boolean
  readonly affinity_key: number | undefined
  /** Formats that can serve it: the client's own first, where that is one of them. */
  readonly formats: readonly ApiFormat[]
  readonly obstacle: string | undefined
}

/** A channel's call to be made of a body that was read before. */
export type EncodeTask = {
  readonly kind: 'encode'
  readonly body: number
  readonly channel: PrepareInput['channel']
  readonly key: string
  readonly query: string
  readonly given: Pick<TranslatorInput, 'content_type' | 'request_id' | 'created' | 'prompt_tokens'>
  /** Addresses that were fetched; absent: say first which ones are needed. */
  readonly media?: ReadonlyMap<string, MediaSource>
}

export type EncodeResult =
  | { readonly kind: 'media'; readonly urls: readonly string[] }
  | {
      readonly kind: 'encoded'
      /** Absent: the bytes as they came. */
      readonly body: Uint8Array<ArrayBuffer> | undefined
      readonly rest: Omit<Encoded, 'body'>
      /** What the answer repeats of the body. */
      readonly kept: JsonObject
    }
  | { readonly kind: 'unroutable' }

/** Texts of a body that is small enough for the loop, to be searched for sensitive words. */
export type SearchTask = { readonly kind: 'search'; readonly texts: readonly string[] }

export type CountTask = { readonly kind: 'count'; readonly texts: readonly string[]; readonly family: Family }

/** Each task and what comes of it. */
export type Results = { read: ReadFacts; encode: EncodeResult; search: boolean; count: number }
export type Task = ReadTask | EncodeTask | SearchTask | CountTask

export type ToThread =
  /** The configuration's texts, before the first task and after each change. */
  | { readonly kind: 'options'; readonly options: ReadonlyMap<string, string> }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  /** Forgets the body that task `id` has read. */
  | { readonly kind: 'drop'; readonly id: number }

export type Refusal = { readonly code: ErrorCode; readonly params: Readonly<Record<string, string | number>> }

export type FromThread =
  | { readonly kind: 'done'; readonly id: number; readonly result: Results[Task['kind']]; readonly kept: number }
  | { readonly kind: 'refused'; readonly id: number; readonly refusal: Refusal; readonly kept: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error; readonly kept: number }
  /** How many bodies the thread still holds. */
  | { readonly kind: 'dropped'; readonly kept: number }
