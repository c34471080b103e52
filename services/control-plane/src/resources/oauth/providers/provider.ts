import type { Deps } from '../../../deps.ts'

/** The person at the provider, as far as the provider vouches for it. */
export type Identity = {
  /** Never changes and is never given to another person, unlike a login name. */
  readonly id: string
  /** The wanted user name, if the provider knows one. */
  readonly username: string
  readonly display_name: string
}

export type ProviderDeps = Pick<Deps, 'options' | 'outbound' | 'env' | 'log' | 'now'>

/** Parameters with which the provider's page came back, and those that were sent there. */
export type Code = {
  readonly code: string
  readonly redirect_uri: string
  readonly verifier: string | undefined
  readonly nonce: string | undefined
}

export type FoundIdentity = Identity & {
  /** The address that the provider has verified; empty when there is none. Asked for only when an account is made. */
  readonly verifiedEmail: () => Promise<string>
  /** Everything that the provider says, for organisations that map it to roles; only from providers with claims. */
  readonly claims?: Readonly<Record<string, unknown>>
}

export const noEmail = (): Promise<string> => Promise.resolve('')
