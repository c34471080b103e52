import type { Usage } from '@tollgate/contracts/quote'
import type { ClassCounts } from '@tollgate/contracts/text-counts'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { Finish } from './answer-facts.ts'

/** What was delivered so far, by class of character; never the text. */
export type Delivered = {
  readonly text: ClassCounts
  readonly reasoning: ClassCounts
  /** Names and arguments of tool calls. */
  readonly tools: ClassCounts
  /** How many tool calls were begun. */
  tool_calls: number
}

/** What is known of a running answer: a few hundred bytes, however long it gets. */
export type StreamFacts = {
  readonly delivered: Delivered
  /** The vendor's final usage. */
  readonly usage: Usage | undefined
  /** What the vendor had reported before the answer (Anthropic's `message_start`); only its input side means something. */
  readonly early_usage?: Usage | undefined
  readonly raw_usage: string | undefined
  readonly finish: Finish | undefined
  readonly failure: UpstreamFailure | undefined
  /** Something of the answer itself came, not only frames. */
  readonly hasContent: boolean
  /** The model's answer has begun: an event of it came, be it without content. Comments, pings and errors are none. */
  readonly hasBegun: boolean
  /** Events that could not be read. */
  readonly unreadable: number
}

export type StreamEnding =
  /** The end marker came. */
  | 'done'
  /** No marker, but every sign of an end: a finish reason. */
  | 'finished'
  /** Upstream said that it failed; see `facts.failure`. */
  | 'failed'
  /** Upstream broke off. */
  | 'cut'

/**
 * An answer on its way from upstream to the client: the tap of one format (bytes pass as they are) or the translation between two.
 * The pipeline knows no more of formats than this.
 */
export type AnswerStream = {
  /** Takes upstream's bytes and gives those that go to the client now: whole events. */
  push(chunk: Buffer): Buffer
  /** Upstream's stream is over: the last bytes that go to the client before the settlement, and how it ended. */
  close(): { readonly rest: Buffer; readonly ending: StreamEnding }
  /** What is written after the settlement: whatever tells the client that the answer is complete. */
  closing(usage: Usage): Buffer
  /** The end marker came; everything after it is dropped. */
  readonly isDone: boolean
  /** It is no text and has no end marker: what breaks off is incomplete, and nothing can be told inside it. */
  readonly isOpenEnded?: boolean
  readonly facts: StreamFacts
  /** What the client's format could not say so far; at most a dozen entries. */
  readonly warnings?: readonly string[]
}
