import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'

/** The owner of a request: a usable token of an enabled user. */
export type Caller = {
  readonly record: TokenRecord
  readonly credential: string
  /** First and last three characters of the key, for texts. */
  readonly masked: string
  /** The channel named in the key, which only administrators may use. */
  readonly pin: string | undefined
  /** When the record was read, in milliseconds. */
  readonly read_at: number
}
