/** A GET at an address that an answer states; relative ones are resolved against the address of the call. */
export type FollowUp =
  /** The real answer streams there. */
  | { readonly kind: 'stream'; readonly url: string }
  /** The state of the work is there; it is read after a wait, again and again until it is the real answer. */
  | { readonly kind: 'poll'; readonly url: string; readonly wait_ms: number }
