import type { Usage } from '@tollgate/contracts/quote'

/** What a request may bring in or out beside plain text; each may cost more than text does. */
export type InputClasses = {
  readonly audio: boolean
  readonly images: boolean
  readonly cache_write: boolean
  /** Some of it is to be kept for an hour. */
  readonly cache_write_1h?: boolean
  /** The answer may be images that are priced by token. */
  readonly image_out?: boolean
}

/** How an answer ended, in words of our own. */
export type Finish = 'stop' | 'length' | 'tools' | 'filter' | 'other'

/** What a format could say about a finished or running answer; `undefined` where it was silent. */
export type AnswerFacts = {
  readonly usage: Usage | undefined
  /** The vendor's usage object as JSON text, at most 1 KB. */
  readonly raw_usage: string | undefined
  readonly finish: Finish | undefined
}

/** JSON text of a vendor's usage object, for the log; absent when it is larger than an explanation may be. */
export function toRawUsage(usage: unknown): string | undefined {
  const text = JSON.stringify(usage)
  return text.length <= 1024 ? text : undefined
}
