import type { IncomingHttpHeaders } from 'node:http'
import type { ClientError } from '../client-error.ts'

/** What differs between the client-facing formats before and after the pipeline. */
export type Surface = {
  readonly name: 'openai'
  /** The credential as the client wrote it, from the places of this format; empty when there is none. */
  readCredential(headers: IncomingHttpHeaders): string
  /** The body of an error answer. */
  renderError(error: ClientError): string
  /** The same inside a stream that has begun. */
  renderStreamError(error: ClientError): string
}
