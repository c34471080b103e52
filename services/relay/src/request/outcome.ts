import type { Outcome } from '../pipeline/settle.ts'

/** An answer whose last bytes are not out yet: first it is settled, then finished. */
export type Delivery = {
  readonly outcome: Outcome
  /** Gives the client what is left, and the end. */
  finish(): void
}
