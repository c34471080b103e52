import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { TaskMedia, TaskState } from '@tollgate/contracts/tasks/tasks'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, type JsonObject } from '../../json.ts'
import { objectOf, textOf } from '../fields.ts'
import { toRefused, withoutObject } from '../refusal.ts'
import type { CredentialInput, LostTasks, TaskCall, TaskFamilyCodec, TaskReport } from '../task-family.ts'
import type { VideoRequest } from './video-request.ts'

export type VideoSubmission =
  | { readonly kind: 'accepted'; readonly vendor_task_id: string; /** Where the vendor states the length. */ readonly seconds?: number }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** One vendor of videos. Pure: the caller sends the calls below the channel's base address. */
export type VideoVendor = {
  readonly platform: string
  readonly channelType: number
  submit(request: VideoRequest, task_id: string): TaskCall
  /** The vendor's id as the gateway keeps it: with whatever a poll needs besides. */
  readSubmission(status: number, body: unknown, request: VideoRequest): VideoSubmission
  poll(vendor_task_id: string): TaskCall
  /** Undefined: the answer cannot be read. */
  readReport(vendor_task_id: string, body: unknown): TaskReport | undefined
  credential(input: CredentialInput): Readonly<Record<string, string>>
  readonly signing?: TaskFamilyCodec['signing']
  readonly urlFor?: TaskFamilyCodec['urlFor']
  readonly bytesIn?: string
  content?: TaskFamilyCodec['content']
  /** Deletes a video, for a vendor that keeps it until then. */
  remove?(vendor_task_id: string): TaskCall
  readonly lost?: LostTasks
  readonly billsTokens?: true
  /** How long the vendor may take, where a request says so. Milliseconds. */
  deadlineOf?(request: VideoRequest): number | undefined
  /** Makes a finished video again with another prompt; answered like a submission. */
  remix?(vendor_task_id: string, prompt: string): TaskCall
}

const STATUS_OF: Readonly<Record<TaskState, string>> = {
  not_started: 'NOT_START',
  submitted: 'SUBMITTED',
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  unknown: 'UNKNOWN',
  success: 'SUCCESS',
  failure: 'FAILURE',
  expired: 'FAILURE',
}

const PROGRESS_OF: Readonly<Record<TaskState, string>> = {
  not_started: '0%',
  submitted: '0%',
  queued: '10%',
  in_progress: '50%',
  unknown: '',
  success: '100%',
  failure: '100%',
  expired: '100%',
}

export type VideoFacts = {
  readonly vendor_task_id: string
  /** Undefined: the vendor named a state that we do not know, `word`. */
  readonly state: TaskState | undefined
  readonly word: string
  readonly url?: string
  readonly fail_reason?: string
  /** The length and tokens of the finished video, where the vendor says them. */
  readonly seconds?: number
  readonly tokens?: number
  /** 0 … 100, where the vendor says it. */
  readonly percent?: number
  readonly data: unknown
}

/** A report from what a vendor said; steps stand for a progress that it does not tell. */
export function toReport({
  vendor_task_id,
  word,
  state = 'unknown',
  url = '',
  fail_reason = '',
  percent,
  data,
  seconds = 0,
  tokens = 0,
}: VideoFacts): TaskReport {
  const media: readonly TaskMedia[] = url === '' ? [] : [{ kind: 'video', url }]
  const isOpen = state === 'queued' || state === 'in_progress' || state === 'submitted'
  return {
    vendor_task_id,
    state,
    status: STATUS_OF[state],
    progress: isOpen && percent !== undefined ? `${Math.round(percent)}%` : PROGRESS_OF[state],
    ...(state === 'unknown' ? { unread: word } : {}),
    ...(state === 'success' && seconds > 0 ? { seconds: Math.ceil(seconds) } : {}),
    ...(state === 'success' && tokens > 0 ? { tokens } : {}),
    ...(state === 'failure' ? { fail_reason: fail_reason === '' ? TASK_FAILURES.noReason : fail_reason } : {}),
    media,
    data,
  }
}

const isStatusOk = (status: number): boolean => status >= 200 && status < 300

type Accepting = {
  readonly status: number
  readonly body: unknown
  /** The id in the vendor's answer; empty: it refused. */
  readonly id: (body: JsonObject) => string
  /** The length of the video, where the answer states it. */
  readonly seconds?: (body: JsonObject) => number | undefined
  /** The id that the gateway keeps. */
  readonly keep?: (id: string) => string
  readonly error: (body: JsonObject) => { readonly code: string; readonly message: string }
  /** Codes which say that the account has no money. */
  readonly money?: readonly string[]
}

/** A submission's answer: an id, or why there is none. */
export function readAccepted({ status, body, id, seconds, keep = (given) => given, error, money = [] }: Accepting): VideoSubmission {
  if (!isObject(body)) return { kind: 'failed', failure: withoutObject(status, 'the upstream answered without a JSON object') }
  const given = isStatusOk(status) ? id(body) : ''
  const stated = given === '' ? undefined : seconds?.(body)
  if (given !== '') return { kind: 'accepted', vendor_task_id: keep(given), ...(stated === undefined ? {} : { seconds: stated }) }
  const { code, message } = error(body)
  const refusal = { status: isStatusOk(status) ? 400 : status, code, message: message === '' ? 'the upstream refused the video' : message }
  return { kind: 'failed', failure: toRefused(money.includes(code) ? { ...refusal, isMoney: true } : refusal) }
}

/** `{error: {code, message}}` */
export function openAiError(body: JsonObject): { readonly code: string; readonly message: string } {
  const error = objectOf(body, 'error')
  return { code: textOf(error, 'code'), message: textOf(error, 'message') }
}

/** Splits a kept id at its last slash: what a poll needs, and the vendor's id. */
export function splitKept(vendor_task_id: string): readonly [string, string] {
  const at = vendor_task_id.lastIndexOf('/')
  return [vendor_task_id.slice(0, Math.max(0, at)), vendor_task_id.slice(at + 1)]
}

/** A copy without undefined members. */
export const defined = (body: JsonObject): JsonObject => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
