/** How a key that stops working after a time is exchanged for a new one. Pure: libs/upstream makes the call. */
export type KeyRenewal = {
  /** Unix milliseconds at which the key stops working; undefined if it does not, or cannot be renewed. */
  readonly expiresAt: (key: string) => number | undefined
  readonly request: (key: string) => RenewalRequest | undefined
  /** The vendor's answer. */
  readonly read: (key: string, status: number, body: unknown) => Renewed
}

export type RenewalRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type Renewed =
  | { readonly kind: 'renewed'; readonly key: string }
  /** The vendor will never renew this key; the text is for the operator. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** Worth another attempt. */
  | { readonly kind: 'failed'; readonly message: string }
