import type { MemberRole } from '@tollgate/contracts/rights'

/** The account behind a call, read from Postgres on each call: a user’s own, or that of an organisation for which a member calls. */
export type Actor = {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group: string
  /** The site requires a second factor of this role, and the account has none. */
  readonly needs_two_factor?: boolean
  /** Present when a session cookie was used; absent with a system access token or an API key. */
  readonly session_hash?: string
  /** Unix seconds when this session was opened or its password was last confirmed. */
  readonly proved_at?: number
  /** The way of the sign-in that opened this session; absent without a session. */
  readonly signed_in_by?: string
  /** An administrator looks at the account: nothing can be changed. */
  readonly viewed_by?: { readonly id: number; readonly name: string }
  /** The person who calls, when the account is an organisation’s. */
  readonly member?: Member
}

export type Member = {
  readonly id: number
  readonly username: string
  /** In the installation. */
  readonly account_role: number
  /** In the organisation. */
  readonly role: MemberRole
  /** The provider that the organisation requires, when the session was opened in another way. */
  readonly needs_provider?: string
}

/** Whom a call's credentials are read as: `account` follows header New-Api-User into an organisation, `person` does not, `key` reads the API key. */
export type IdentifyAs = 'account' | 'person' | 'key'

/**
 * The result of looking up a call's credentials; `admit` checks id header, status and role.
 * `unknown-token`: the Authorization header matches no user.
 */
export type Identification = Actor | 'anonymous' | 'unknown-token'
