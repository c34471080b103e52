import type { EditConflict } from '@tollgate/contracts/values/seen-row'

/** How a call failed: `refused` is the server's own message with success:false and the body's field it is about, `http` any other status, `network` no answer. */
export type ApiFailure =
  | { readonly kind: 'refused'; readonly message: string; readonly field?: string; readonly data?: unknown }
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

/** True if another administrator changed what was shown meanwhile. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && error.failure.field === 'was'
}

/** Fields that another administrator changed meanwhile, if the server refused an edit for it. */
export function conflictsOf(error: unknown): readonly EditConflict[] {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused' || error.failure.field !== 'was') return []
  const { data } = error.failure
  // Our own server, which is tested against the same shape.
  return typeof data === 'object' && data !== null && 'conflicts' in data ? (data.conflicts as readonly EditConflict[]) : []
}

/** True if the server refused because the session must confirm its owner first. */
export function asksForProof(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && error.failure.field === 'proof'
}
