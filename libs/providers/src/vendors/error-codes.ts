import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, parseJson } from '../json.ts'

/** A vendor's own error codes, which it may send with status 200, and the HTTP statuses that they stand for. */
export type ErrorCodes = {
  /** Where the code is in the body; keys from the outside in. */
  readonly code: readonly string[]
  readonly message: readonly string[]
  /** Codes of success. */
  readonly ok: readonly (number | string)[]
  /** Status by code; any other code is a 400. */
  readonly statuses: Readonly<Record<string, number>>
}

/** The failure that a body states by a code of the vendor; undefined if it states none. */
export function failureByCode(codes: ErrorCodes, body: unknown): UpstreamFailure | undefined {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const code = valueAt(parsed, codes.code)
  if ((typeof code !== 'number' && typeof code !== 'string') || code === '' || codes.ok.includes(code)) return undefined
  const status = codes.statuses[String(code)] ?? 400
  const message = valueAt(parsed, codes.message)
  return {
    kind: status === 429 ? 'limited' : 'refused',
    status,
    type: typeOf(status),
    code: String(code),
    message: typeof message === 'string' && message !== '' ? message : `upstream error ${code}`,
  }
}

/** A 402 is the vendor's word that the channel's account has no money. */
function typeOf(status: number): string {
  return status === 402 ? 'insufficient_quota' : 'upstream_error'
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const key of path) value = isObject(value) ? value[key] : undefined
  return value
}
