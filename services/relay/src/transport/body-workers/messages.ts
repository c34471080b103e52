import type { ErrorParams } from '@tollgate/contracts/errors/params'
import type { ErrorCode } from '@tollgate/contracts/errors'
import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { RequestFacts, RouteFacts } from '@tollgate/providers/chat/model-request'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { Obstacle, TranslatorInput } from '@tollgate/providers/calls/operation'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import type { JsonObject } from '@tollgate/providers/json'
import type { Family } from '@tollgate/domain/pricing/estimate'
import type { EncodedCall, PrepareInput, RefusableField } from '@tollgate/upstream/prepare'
import type { operations } from '../../operations.ts'

/** Messages between the relay and its body workers. No message carries a parsed body: copying one costs more than parsing it. */
export type OperationKey = keyof typeof operations

/** A complete body. Its bytes are shared and read-only. */
export type ReadTask = {
  readonly kind: 'read'
  readonly operation: OperationKey
  readonly route: RouteFacts
  readonly bytes: Uint8Array
  /** Makes the affinity key differ between users. */
  readonly user_id: number
  /** Path of the request, and its headers that rules of affinity may name. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Facts of a request whose content stays in the worker. */
export type ReadFacts = {
  readonly facts: RequestFacts
  readonly prompt_tokens: number
  readonly has_sensitive: boolean
  readonly affinity_key: number | undefined
  /** Formats that can serve the request; the client's own is first if it can. */
  readonly formats: readonly ApiFormat[]
  readonly obstacle: Obstacle | undefined
}

/** Encodes the call to a channel from a body that was read before. */
export type EncodeTask = {
  readonly kind: 'encode'
  readonly body: number
  readonly channel: PrepareInput['channel']
  readonly key: string
  readonly query: string
  readonly without: readonly RefusableField[]
  readonly retry_index: number
  /** The model that serves the request in place of the requested one. */
  readonly model?: string
  /** The client headers that the channel's override reads. */
  readonly headers: Readonly<Record<string, string>>
  /** The client headers that its format forwards. */
  readonly forwarded: Readonly<Record<string, string>>
  readonly given: Pick<TranslatorInput, 'content_type' | 'request_id' | 'created' | 'prompt_tokens'>
  /** Fetched media by URL; absent: the worker first returns the URLs it needs. */
  readonly media?: ReadonlyMap<string, MediaSource>
}

export type EncodeResult =
  | { readonly kind: 'media'; readonly urls: readonly string[] }
  | {
      readonly kind: 'encoded'
      /** The vendor's format, in which the answer comes too. */
      readonly format: ApiFormat
      /** Undefined: the client's bytes unchanged. */
      readonly body: Uint8Array<ArrayBuffer> | undefined
      readonly rest: Omit<EncodedCall, 'body'>
      /** The fields of the body that the answer repeats. */
      readonly kept: JsonObject
    }
  | { readonly kind: 'unroutable' }

/** Searches texts of a body that the relay parsed itself for sensitive words. */
export type SearchTask = { readonly kind: 'search'; readonly texts: readonly string[] }

export type CountTask = { readonly kind: 'count'; readonly texts: readonly string[]; readonly family: Family }

/** Describes the conversation of a body that was read before. */
export type DescribeTask = { readonly kind: 'describe'; readonly body: number }

/** The result of each kind of task. */
export type Results = { read: ReadFacts; encode: EncodeResult; search: boolean; count: number; describe: GenAiMessages | undefined }
export type Task = ReadTask | EncodeTask | SearchTask | CountTask | DescribeTask

export type ToWorker =
  /** The option texts, sent before the first task and after each change. */
  | { readonly kind: 'options'; readonly options: ReadonlyMap<string, string> }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  /** Frees the body that task `id` has read. */
  | { readonly kind: 'drop'; readonly id: number }

export type Refusal = { readonly code: ErrorCode; readonly params: ErrorParams }

export type FromWorker =
  | { readonly kind: 'done'; readonly id: number; readonly result: Results[Task['kind']]; readonly kept: number }
  | { readonly kind: 'refused'; readonly id: number; readonly refusal: Refusal; readonly kept: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error; readonly kept: number }
  /** `kept`: number of bodies that the worker still holds. */
  | { readonly kind: 'dropped'; readonly kept: number }

/** Data with which a worker thread is started. */
export type WorkerData = { readonly sample_seed: number }
