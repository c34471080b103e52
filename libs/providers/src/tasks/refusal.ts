import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'

type Refusal = {
  readonly status: number
  readonly code?: string
  readonly message: string
  /** The vendor says that the account has no money, with a status of another meaning. */
  readonly isMoney?: boolean
}

/** A submission that the vendor refused with a status of its own; the status says what was refused, also without a body. */
export function toRefused({ status, code, message, isMoney = status === 402 }: Refusal): UpstreamFailure {
  return {
    kind: status === 429 && !isMoney ? 'limited' : 'refused',
    status,
    ...(code === undefined ? {} : { code }),
    ...(isMoney ? { type: 'insufficient_quota' } : {}),
    message,
  }
}

/** An answer that is no JSON object: a refusal by its status, or an answer that cannot be read. */
export function withoutObject(status: number, message: string): UpstreamFailure {
  return status >= 400 ? toRefused({ status, message }) : { kind: 'malformed', status, message }
}
