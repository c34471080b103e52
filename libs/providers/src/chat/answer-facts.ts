import type { Usage } from '@tollgate/contracts/pricing/quote'

/** Classes of content that a request or its answer can have besides plain text; each can cost more than text. */
export type InputClasses = {
  readonly audio: boolean
  readonly images: boolean
  readonly cache_write: boolean
  /** Some of the prompt is cached for an hour. */
  readonly cache_write_1h?: boolean
  /** The answer can contain images that are priced by token. */
  readonly image_out?: boolean
}

/** How an answer ended. */
export type Finish = 'stop' | 'length' | 'tools' | 'filter' | 'other'

/** The facts about a finished or running answer; `undefined` where the vendor did not report it. */
export type AnswerFacts = {
  readonly usage: Usage | undefined
  /** The vendor's usage object as JSON text, at most 1 KB. */
  readonly raw_usage: string | undefined
  readonly finish: Finish | undefined
  /** The vendor's word for the end, if the table of its format lacks it and the answer passes as it is. */
  readonly unknown_end?: string | undefined
  /** The processing tier that the vendor says it served. */
  readonly served_tier?: string | undefined
  /** The model that the vendor says it served, for requests that name several. */
  readonly served_model?: string | undefined
  /** Answers that were delivered, if the format can hold several and they could be counted. */
  readonly answers?: number | undefined
}

/** JSON text of a vendor's usage object, for the log; absent if it is longer than 1 KB. */
export function toRawUsage(usage: unknown): string | undefined {
  const text = JSON.stringify(usage)
  return text.length <= 1024 ? text : undefined
}
