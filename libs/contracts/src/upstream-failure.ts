/**
 * Why a call to a vendor gave no answer. `refused`: upstream answered with an error. `limited`: it was too busy for us (429).
 * `malformed`: its answer could not be read. `aborted`: we or the client stopped it.
 */
export type UpstreamFailure = {
  readonly kind: 'refused' | 'limited' | 'timeout' | 'network' | 'malformed' | 'aborted'
  /** HTTP status, or what the error object states where the status said 200. */
  readonly status?: number
  readonly code?: string
  readonly type?: string
  readonly param?: string
  /** How long upstream asks to be left alone, from its `Retry-After`. */
  readonly retry_after_ms?: number
  /** For people; upstream's own text where there is one. */
  readonly message: string
  /** The vendor's error object as received, passed on to the client where it speaks the same dialect. */
  readonly body?: unknown
}
