/** How a call failed: `refused` is the server's own message with success:false and the body's field it is about, `http` any other status, `network` no answer. */
export type ApiFailure =
  | { readonly kind: 'refused'; readonly message: string; readonly field?: string }
  | { readonly kind: 'http'; readonly status: number; readonly message: string; readonly retryAfterS?: number }
  | { readonly kind: 'network'; readonly message: string }

export class ApiError extends Error {
  readonly failure: ApiFailure

  constructor(failure: ApiFailure, options?: { cause?: unknown }) {
    super(failure.message, options)
    this.name = 'ApiError'
    this.failure = failure
  }
}

/** Whether the server refused because the session must confirm its owner first. */
export function asksForProof(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && error.failure.field === 'proof'
}
