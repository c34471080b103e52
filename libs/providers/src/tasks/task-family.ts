import type { PricedExtras } from '@tollgate/contracts/pricing/quote'
import type { TaskFamily, TaskMedia, TaskState } from '@tollgate/contracts/tasks/tasks'
import type { UnixMillis } from '@tollgate/contracts/units'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { JsonObject } from '../json.ts'

/** A client's submission, as far as the gateway must know it. */
export type TaskRequest = {
  readonly model: string
  readonly action: string
  readonly prompt: string
  /** Our id of the task that it continues, which its channel and key must serve. */
  readonly source: { readonly task_id: string; readonly must_have_succeeded: boolean } | undefined
  /** Where the client wants to hear of changes; empty: nowhere. */
  readonly callback_url: string
  encode(input: EncodeTaskInput): TaskCall
  /** Reads the vendor's answer; a body is undefined if there is none, and null if it is not JSON. */
  read(status: number, body: unknown, target: TaskTarget): SubmitRead
  /** Extras on which the price depends besides the model. */
  readonly priced?: PricedExtras
  /** Facts of the submission that answers show. */
  readonly properties?: Readonly<Record<string, string>>
  /** How long the vendor of a channel type may take, where the submission says so. Milliseconds. */
  deadlineFor?(channelType: number): number | undefined
  /** Its answer while it is unknown whether the vendor took it; absent: such a submission is answered with the error. */
  answerUnclear?(task_id: string, submit_time: UnixMillis): JsonObject
}

/** The channel that serves a submission: its type, and the upstream's name of the model. */
export type TaskTarget = {
  readonly channelType: number
  readonly model: string
  /** The length of a video that is charged where the client names none. */
  readonly seconds?: number
}

/** Operator options that change submissions. */
export type TaskSettings = {
  readonly notifies: boolean
  readonly filters_accounts: boolean
  readonly clears_modes: boolean
}

export type EncodeTaskInput = {
  /** Our id of the task, for vendors that keep an id of their client. */
  readonly task_id: string
  readonly target: TaskTarget
  readonly settings: TaskSettings
  /** The vendor's id of the source. */
  readonly source_vendor_id: string
  /** Our address for the vendor's reports on this task; empty: none. */
  readonly notify_url: string
}

/** A call below a channel's base address. */
export type TaskCall = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly body?: JsonObject }

/** Hashes, which this package cannot compute: it runs in browsers too. */
export type Digests = {
  /** Hexadecimal SHA-256 of a text. */
  readonly sha256: (text: string) => string
  readonly hmacSha256: (key: string | Uint8Array, text: string) => Uint8Array
}

/** Input for the credential of one call; some vendors sign the whole call. */
export type CredentialInput = {
  readonly key: string
  readonly call: TaskCall
  /** Host of the channel's address. */
  readonly host: string
  /** Unix milliseconds. */
  readonly now: number
  readonly digests: Digests
}

export type SubmitRead =
  | {
      readonly kind: 'task'
      readonly vendor_task_id: string
      readonly state: TaskState
      readonly status: string
      readonly code: number
      readonly progress: string
      readonly description: string
      readonly fail_reason: string
      readonly image_url: string
      /** A refusal with status 200 costs nothing, and some accepted submissions are free. */
      readonly verdict: 'charged' | 'free' | 'refused'
      /** Facts of the submission that answers show, where the vendor's answer changes them. */
      readonly properties?: Readonly<Record<string, string>>
      /** The length of the video, where the vendor states it. */
      readonly seconds?: number
      /** Why the channel should be disabled. */
      readonly disable_reason?: string
      /** The client's answer, with our id in place of the vendor's. */
      answer(task_id: string, submit_time: UnixMillis): JsonObject
    }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Report of a vendor about a task. Absent fields are unchanged. */
export type TaskReport = {
  /** Length, rounded up, or tokens, by which the vendor bills a finished task. */
  readonly seconds?: number
  readonly tokens?: number
  /** The vendor's word for a state that is not known here. */
  readonly unread?: string
  readonly vendor_task_id: string
  readonly state: TaskState
  /** The text that the API shows. */
  readonly status: string
  readonly progress: string
  readonly prompt?: string
  readonly prompt_en?: string
  readonly description?: string
  readonly fail_reason?: string
  readonly image_url?: string
  readonly start_time?: number
  readonly finish_time?: number
  readonly media?: readonly TaskMedia[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

/** A submission without an answer of its vendor. */
export type LostTask = { readonly task_id: string; /** Cut to 1 000 bytes. */ readonly prompt: string; readonly submit_time: UnixMillis }

/** Finds such a submission among what the vendor lists. */
export type LostTasks = {
  readonly calls: readonly TaskCall[]
  /** Reports on those that may be it, the likeliest first; undefined: the answer to this call cannot be read. */
  read(body: unknown, lost: LostTask, call: TaskCall): readonly TaskReport[] | undefined
}

/** Pictures of a finished video: https://platform.openai.com/docs/api-reference/videos/content */
export const CONTENT_VARIANTS = ['thumbnail', 'spritesheet'] as const
export type ContentVariant = (typeof CONTENT_VARIANTS)[number]
export type WantedContent = { readonly variant?: ContentVariant | undefined; /** The vendor's last report. */ readonly data: unknown }

/** A channel, as far as the address of a call depends on it. */
export type TaskCallChannel = { readonly base_url: string; readonly key: string; readonly other: string }

/** One kind of task: how its vendors are asked about it, and what its limits are. Submissions are read by the family's routes. */
export type TaskFamilyCodec = {
  readonly family: TaskFamily
  readonly channelTypes: readonly number[]
  /** The kind of vendor, as the task log shows it. */
  readonly platform: string
  readonly credential: (input: CredentialInput) => Readonly<Record<string, string>>
  /** The credential is an access token that is fetched for the channel's key. */
  readonly signing?: 'google'
  /** The address of a call that is not below the channel's; undefined: the channel's key does not say it. */
  readonly urlFor?: (call: TaskCall, channel: TaskCallChannel) => string | undefined
  /** Member of the answers to `content` and to a poll of a finished task that has the bytes in base64: no result has an address. */
  readonly bytesIn?: string
  /** After this time an open task expires, with this reason. */
  readonly deadline_ms: number
  readonly deadline_reason: string
  /** Most tasks of one question. */
  readonly batch: number
  /** Questions about one channel's tasks that are asked side by side. */
  readonly at_once: number
  poll(vendor_task_ids: readonly string[]): TaskCall
  /** The reports in an answer with status 200 about these tasks; undefined: it cannot be read. */
  readReports(body: unknown, vendor_task_ids: readonly string[]): readonly TaskReport[] | undefined
  /** Where the bytes of a result are, for a vendor that has no public address for them; undefined: it has none. */
  content?: ((vendor_task_id: string, wanted: WantedContent) => TaskCall | undefined) | undefined
  /** Deletes a result, for a vendor that keeps it until then. */
  remove?(vendor_task_id: string): TaskCall
  /** The vendor bills by token, and says at the end how many. */
  readonly billsTokens?: true
  /** Absent: the vendor lists nothing, or nothing by which a submission is known again. */
  readonly lost?: LostTasks
}
