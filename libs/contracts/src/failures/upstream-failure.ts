/**
 * Why a call to a vendor failed. `refused`: the upstream answered with an error. `limited`: it refused because of load or rate (429).
 * `malformed`: its answer could not be parsed. `aborted`: the gateway or the client cancelled the call.
 */
export type UpstreamFailure = {
  readonly kind: 'refused' | 'limited' | 'timeout' | 'network' | 'malformed' | 'aborted'
  /** HTTP status, or the status in the error object when the HTTP status was 200. */
  readonly status?: number
  readonly code?: string
  readonly type?: string
  readonly param?: string
  /** The pause that the upstream requests in `Retry-After`. */
  readonly retry_after_ms?: number
  /** Value of the upstream's header `x-should-retry`. */
  readonly should_retry?: boolean
  /** The vendor's word for the end of its answer, if no table has it. */
  readonly unknown_end?: string
  /** The upstream's own text if there is one. */
  readonly message: string
  /** The vendor's error object as received; forwarded to the client when both use the same format. */
  readonly body?: unknown
}
