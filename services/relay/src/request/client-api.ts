import type { IncomingHttpHeaders } from 'node:http'
import type { RefusalFormat } from '@tollgate/contracts/failures/client-refusals'
import type { LimitLeft } from '@tollgate/ledger/client/types'
import type { ResponseType } from '@tollgate/providers/calls/response-type'
import type { ClientError } from './client-error.ts'

/** The tightest limit of each kind. */
export type LimitsLeft = { readonly requests: LimitLeft | undefined; readonly tokens: LimitLeft | undefined }

export type LimitHeaders = Readonly<Record<string, string>>

/** The differences between the client APIs before and after the pipeline. */
export type ClientApi = {
  /** How it says refusals. */
  readonly refusals: RefusalFormat
  readonly name: 'openai' | 'anthropic' | 'gemini' | 'midjourney' | 'suno' | 'kling' | 'jimeng'
  /** The query for a vendor of the same format, with its `?`: only parameters that do not change what the answer costs or reports. */
  forwardQuery(url: string): string
  /** Headers that are forwarded to the vendor, by lower-case name. */
  forwardHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>>
  /** The body of an error response. */
  renderError(error: ClientError): string
  /** An error inside a stream that has begun; `isFirst`: no part of its body was sent yet. */
  renderStreamError(error: ClientError, isFirst: boolean): string
  /** Headers with the remaining limits. */
  renderLimits(left: LimitsLeft, nowMs: number): LimitHeaders
  /** Where the API's own SDKs look for the request id. */
  readonly idHeader: string
  /** The headers that browsers may read: request ids, limits, Retry-After. */
  readonly exposedHeaders: string
  /** Content type of chat streams. */
  readonly streamType: ResponseType
  /** Keeps a silent stream open. */
  readonly ping: string
}
