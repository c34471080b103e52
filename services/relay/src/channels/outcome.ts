import type { ReturnedError } from '@tollgate/domain/param-override/operation'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { ChannelFault } from '@tollgate/domain/channel-health/judge'
import type { Attempt } from '@tollgate/contracts/relay/usage-event'
import type { WholeRead } from '@tollgate/providers/calls/operation'
import type { ResponseType } from '@tollgate/providers/calls/response-type'
import type { Sending } from '@tollgate/upstream/send'
import type { OpenedStream } from './open-stream.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'

/** A vendor streams its answer, and the first piece for the client is there. */
export type StreamAnswer = {
  readonly kind: 'stream'
  readonly answer: UpstreamAnswer
  readonly sending: Sending
  readonly opened: OpenedStream
  /** Content type of the response to the client. */
  readonly content_type: ResponseType
  readonly attempt: Attempt
}

/** The vendor's complete answer. */
export type WholeAnswer = {
  readonly kind: 'whole'
  readonly facts: Extract<WholeRead, { kind: 'answer' }>
}

/** Every channel failed; `status` is the client's status. */
export type NoChannelLeft = {
  readonly kind: 'no-channel-left'
  readonly failure: UpstreamFailure
  readonly status: number
  readonly fault: ChannelFault | undefined
  readonly returned?: ReturnedError
}

/** The request was aborted before a channel answered. */
export type ClientDisconnected = { readonly kind: 'client-disconnected' }

export type DispatchResult = StreamAnswer | WholeAnswer | NoChannelLeft | ClientDisconnected

/** One failed attempt. `is_local`: it failed before a call was made. */
export type FailedAttempt = {
  readonly kind: 'failed'
  readonly failure: UpstreamFailure
  readonly attempt: Attempt
  readonly is_local: boolean
  /** The error of an operation of the channel's override. */
  readonly returned?: ReturnedError
}
