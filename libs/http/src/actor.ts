/** Who calls, as read from Postgres on each call. */
export type Actor = {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group: string
  /** Present when a session cookie was used; absent with a system access token or an API key. */
  readonly session_hash?: string
}

/**
 * What the credentials of a call amount to. The binder does the rest: id header, status, role (`admit.ts`).
 * `unknown-token`: an Authorization header that belongs to nobody.
 */
export type Identification = Actor | 'anonymous' | 'unknown-token'
