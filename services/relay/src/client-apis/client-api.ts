import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ClientError } from '../errors/client-error.ts'
import type { LimitHeaders, LimitsLeft } from './limit-headers.ts'

/** What differs between the client-facing formats before and after the pipeline. */
export type ClientApi = {
  readonly name: 'openai' | 'anthropic' | 'gemini'
  /** The credential as the client wrote it, from the places of this format; empty when there is none. */
  readCredential(incoming: Pick<IncomingMessage, 'headers' | 'url'>): string
  /** The query that goes on to a vendor of the same format, with its `?`; never with a credential in it. */
  forwardQuery(url: string): string
  /** Headers that go on to the vendor, by their lower-case names. */
  forwardHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>>
  /** The body of an error answer. */
  renderError(error: ClientError): string
  /** The same inside a stream that has begun; `isFirst`: nothing of its body is out yet. */
  renderStreamError(error: ClientError, isFirst: boolean): string
  /** Headers that say how much of the request's limits is left. */
  renderLimits(left: LimitsLeft, nowMs: number): LimitHeaders
  /** Content type of its streams of conversations. */
  readonly streamType: string
  /** Keeps a silent stream open. */
  readonly ping: string
}

/** The query with its `?`, or empty. */
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}
