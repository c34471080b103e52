import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UsageEventBody } from '@tollgate/contracts/relay/usage-event'

/** How a request ended, before it is priced. */
export type ResponseOutcome = {
  /** Undefined: nothing was delivered and nothing is charged. */
  readonly usage: Usage | undefined
  readonly client_status: number
  readonly error_code?: string | undefined
  readonly error_type?: string | undefined
  readonly error_message?: string | undefined
  readonly ended_by: UsageEventBody['ended_by']
}
