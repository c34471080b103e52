import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CharacterCounts } from '@tollgate/contracts/pricing/character-counts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { JsonObject } from '../json.ts'
import type { Finish } from './answer-facts.ts'
import type { RenderedError } from './codec.ts'

/** Text that was delivered so far, counted by class of character; never the text itself. */
export type Delivered = {
  readonly text: CharacterCounts
  readonly reasoning: CharacterCounts
  /** Names and arguments of tool calls. */
  readonly tools: CharacterCounts
  /** How many tool calls were started. */
  tool_calls: number
}

/** The facts about a running answer: a few hundred bytes, however long the answer is. */
export type StreamFacts = {
  readonly delivered: Delivered
  /** The vendor's final usage. */
  readonly usage: Usage | undefined
  /** Usage that the vendor reported before the answer (Anthropic's `message_start`); only its input side is meaningful. */
  readonly early_usage?: Usage | undefined
  readonly raw_usage: string | undefined
  readonly finish: Finish | undefined
  /** The vendor's word for the end, if the table of its format lacks it and the answer passes as it is. */
  readonly unknown_end?: string | undefined
  readonly failure: UpstreamFailure | undefined
  /** Content of the answer was received, not only frames. */
  readonly hasContent: boolean
  /** The answer has started: an event of it was received, even if it had no content. Comments, pings and errors do not count. */
  readonly hasBegun: boolean
  /** The processing tier that the vendor says it served. */
  readonly served_tier?: string | undefined
  /** The model that the vendor says it served. */
  readonly served_model?: string | undefined
  /** Answers that were begun, if the format can hold several and they could be counted. */
  readonly answers?: number | undefined
  /** Events that could not be parsed. */
  readonly unreadable: number
}

export type StreamEnding =
  /** The end marker was received. */
  | 'done'
  /** No end marker, but a finish reason. */
  | 'finished'
  /** Upstream reported a failure; see `facts.failure`. */
  | 'failed'
  /** Upstream closed the stream early. */
  | 'cut'

/**
 * An answer on its way from upstream to the client: the usage reader of one format (bytes pass through) or the translation between two.
 * The pipeline knows formats only through this type.
 */
export type AnswerStream = {
  /** Takes bytes from upstream and returns those to send now: whole events. */
  push(chunk: Buffer): Buffer
  /** Ends upstream's stream: returns the last bytes to send before settlement, and how the stream ended. */
  close(): { readonly rest: Buffer; readonly ending: StreamEnding }
  /** Bytes to send after settlement: everything that tells the client that the answer is complete. */
  closing(usage: Usage): Buffer
  /** The end marker was received; everything after it is dropped. */
  readonly isDone: boolean
  /** The events before the first content carry no part of the answer, so they can be withheld until the answer is known to be one. */
  readonly hasOpening?: boolean
  /** Not text and without an end marker: if it is cut off, it is incomplete, and no error can be sent inside it. */
  readonly isOpenEnded?: boolean
  readonly facts: StreamFacts
  /** Parts that the client's format could not express so far; at most a dozen entries. */
  readonly warnings?: readonly string[]
  /** The whole answer at its end, in formats whose answers can be kept. */
  readonly answer?: JsonObject | undefined
  /**
   * The event that keeps a silent stream open, in formats that number their events. Called only when everything that was returned so far
   * has been sent. Undefined: clients accept no such event yet; empty: the stream is inside an event.
   */
  keepAlive?(): string | undefined
  /** The error that ends the stream, in formats whose errors refer to what was sent before. Undefined: like an error of any stream. */
  renderError?(error: RenderedError): string | undefined
}
