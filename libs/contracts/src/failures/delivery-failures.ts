/** Why a mail or webhook did not arrive, in our own words, as the column of its last error stores them. */
export const DELIVERY_FAILURES = {
  'no-sender': 'the sender is not an address',
  'no-server': 'the mail server is not configured',
  'not-https': 'the address is not https',
  unreachable: 'the address cannot be reached from here',
  connection: 'the connection failed',
  timeout: 'the address did not answer in time',
  closed: 'the connection was closed',
  stopped: 'the attempt was stopped',
  'too-large': 'the answer is too large',
  disabled: 'the endpoint is disabled',
  malformed: 'the answer is not HTTP',
} as const
export type DeliveryFailure = keyof typeof DELIVERY_FAILURES

/** The stored error of a webhook whose address answered with another status than 2xx. */
export const answeredWith = (status: number): string => `${ANSWERED}${status}`
const ANSWERED = 'the address answered '

/** `server`: the mail server's own reply; `unknown`: words of a library or the network. */
export type DeliveryError =
  | { readonly kind: 'own'; readonly failure: DeliveryFailure }
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'server' | 'unknown'; readonly text: string }

/** A reply begins with three digits: https://www.rfc-editor.org/rfc/rfc5321#section-4.2 */
const SMTP_REPLY = /^[2-5]\d\d(?:[ -]|$)/

/** Who wrote a stored error of a delivery. */
export function readDeliveryError(stored: string): DeliveryError {
  // Object.entries is typed with strings as keys.
  const own = (Object.entries(DELIVERY_FAILURES) as [DeliveryFailure, string][]).find(([, text]) => text === stored)
  if (own !== undefined) return { kind: 'own', failure: own[0] }
  const status = stored.startsWith(ANSWERED) ? Number(stored.slice(ANSWERED.length)) : Number.NaN
  if (Number.isInteger(status)) return { kind: 'answered', status }
  return { kind: SMTP_REPLY.test(stored) ? 'server' : 'unknown', text: stored }
}
