import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { TaskSubmission } from '@tollgate/contracts/tasks'
import type { Attempt, CandidateResult, ClientDisconnect, RecordedChoice } from '@tollgate/contracts/usage-event'
import type { Lease } from '@tollgate/ledger/limits/shared-limits'
import type { AnswerStream } from '@tollgate/providers/chat/stream'
import type { RequestMedia } from './request-media.ts'
import type { ChannelKey } from './channel-key.ts'
import type { Caller } from './caller.ts'
import type { RequestLimits } from '@tollgate/domain/rate-limit/request-limits'
import type { Admission } from './admission.ts'
import type { CostEstimate, PricedGroup } from './cost-estimate.ts'
import type { Hold } from './hold.ts'
import type { RequestContext } from './context.ts'
import type { Conversation, ParsedRequest } from './parsed-request.ts'
import { encodeFixedFields, type FixedFields } from './usage-event.ts'

/** Everything known about one admitted request; its usage event is a projection of it. */
export type RequestRecord = {
  /** The fields that the pending event and the final event share, as JSON. */
  fixed: FixedFields
  readonly context: RequestContext
  readonly caller: Caller
  costEstimate: CostEstimate
  readonly model: string
  group: string
  /** It left its first group, whose prices the pending event has. */
  has_moved: boolean
  reasoning_effort: string | undefined
  /** What the requests of one conversation or realtime session have in common; undefined where it is not known. */
  session: string | undefined
  /** Nothing is charged, whatever usage is reported. */
  readonly is_free: boolean
  /** The body asks the model to reason, which it may do without delivering it. */
  readonly asks_reasoning: boolean
  is_stream: boolean
  /** A rule of affinity forbids retries on other channels once the conversation's own was called. */
  stays_on_channel: boolean
  readonly limits: RequestLimits
  hold: Hold | undefined
  /** Leases in the limits of group, model and channel; given back with the settlement. */
  leases: readonly Lease[]
  channel: ChannelSnapshot | undefined
  /** The channel and key of the last attempt; the end of a stream is recorded in its health. */
  channelKey: ChannelKey | undefined
  /** That key in clear text, which is removed from what its vendor says. */
  vendorKey: string
  upstream_model: string
  first_token_ms: number
  /** Reads the usage of the stream that is being delivered. */
  usageReader: AnswerStream | undefined
  raw_usage: string | undefined
  /** What the conversion of the last attempt could not carry. */
  warnings: readonly string[]
  client_disconnect: ClientDisconnect | undefined
  /** The client left a call that upstream had accepted: it owes the prompt (ADR 12). */
  owes_prompt: boolean
  readonly conversation: Conversation | undefined
  /** The media that the prompt names, once an attempt needed it. */
  media: RequestMedia | undefined
  /** The last attempt's answer is converted from another format. */
  is_converted: boolean
  /** Resolves when the input is kept for later turns. */
  keeping: Promise<void> | undefined
  /** The work that the vendor accepted and that outlives the request. */
  task: TaskSubmission | undefined
  readonly attempts: Attempt[]
  candidates: CandidateResult[]
  /** What the candidates were chosen by; undefined before the first choice. */
  choice: RecordedChoice | undefined
}

/** `first_token_ms` of a response without content. */
const NO_FIRST_TOKEN = -1000

type Input = {
  readonly caller: Caller
  readonly request: ParsedRequest
  readonly admission: Pick<Admission, 'group' | 'limits'>
  readonly costEstimate: CostEstimate
}

/** From here on the request runs, and is charged, in another group. */
export function moveToGroup(record: RequestRecord, { group, costEstimate }: Pick<PricedGroup, 'group' | 'costEstimate'>): void {
  const { context, caller, model } = record
  record.fixed = encodeFixedFields(context, { record: caller.record, model, group, quote: costEstimate.quote })
  record.group = group
  record.costEstimate = costEstimate
  record.has_moved = true
}

/** Creates the record just before the reserve call. It does not keep the parsed body, because a stream outlives it. */
export function createRequestRecord(context: RequestContext, { caller, request, admission, costEstimate }: Input): RequestRecord {
  return {
    fixed: encodeFixedFields(context, {
      record: caller.record,
      model: request.chat.model,
      group: admission.group,
      quote: costEstimate.quote,
    }),
    context,
    caller,
    costEstimate,
    model: request.chat.model,
    group: admission.group,
    has_moved: false,
    reasoning_effort: request.chat.reasoning_effort,
    session: undefined,
    is_free: request.operation.isFree === true,
    asks_reasoning: request.chat.asks_reasoning === true,
    is_stream: request.chat.is_stream,
    stays_on_channel: false,
    limits: admission.limits,
    hold: undefined,
    leases: [],
    channel: undefined,
    channelKey: undefined,
    vendorKey: '',
    upstream_model: request.chat.model,
    first_token_ms: NO_FIRST_TOKEN,
    usageReader: undefined,
    raw_usage: undefined,
    warnings: [],
    client_disconnect: undefined,
    owes_prompt: false,
    conversation: request.conversation,
    media: undefined,
    is_converted: false,
    keeping: undefined,
    task: undefined,
    attempts: [],
    candidates: [],
    choice: undefined,
  }
}
