import { REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import { REQUESTED_MODEL_HEADER } from '../pipeline/find-chain.ts'
import { WARNINGS_HEADER } from '../response/warnings-header.ts'

/** The headers of every response that browsers may read, with those of one API. */
export function exposed(...own: readonly string[]): string {
  return [REQUEST_ID_HEADER, WARNINGS_HEADER, REQUESTED_MODEL_HEADER, 'Retry-After', 'RateLimit', 'RateLimit-Policy', ...own].join(', ')
}
