import type { JsonObject } from '@tollgate/providers/json'
import type { FollowUp } from '@tollgate/providers/calls/follow-up'

/** A call to a vendor, ready to be sent. */
export type PreparedCall = {
  readonly method: 'POST' | 'GET'
  /** scheme://host[:port] */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** Flat list: name, value, name, value. Contains the channel's key: never log it. */
  readonly headers: readonly string[]
  readonly body: Buffer | undefined
  readonly proxy: string | undefined
  /** Connections are pooled and limited per key. */
  readonly poolKey: string
  readonly upstream_model: string
  /** A second call would make, and charge, the same again: it goes out on a connection of its own, and once. */
  readonly isOrder?: true
  /** The call is made over a WebSocket: the body is its first message, and the answer ends with the message that this recognises. */
  readonly webSocket?: { readonly isLast: (message: JsonObject) => boolean }
  /** Where the real answer is, if the JSON of an answer only says so. */
  readonly followUp?: (answer: unknown) => FollowUp | undefined
}

export type CallTimeouts = {
  /** Until the response head. */
  readonly first_byte_ms: number
  /** Between two chunks of the response; not counted while the call is paused. */
  readonly idle_ms: number
}
