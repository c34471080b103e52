/**
 * Why a session ends, as the client's socket says it. The clients of openai 7.57 (Node) and 3.57 (Python) come back by themselves after
 * 1001, 1005, 1006, 1011, 1012 and 1013, and never after 1000, 1008 and 4001 (2026-11-27):
 * https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1, https://www.iana.org/assignments/websocket
 */
export const CLOSE_CODES = {
  /** Money, rights, or a fault of the client's own. */
  refused: 1008,
  /** This process stops; another serves. */
  stopping: 1012,
  /** The vendor's connection broke. */
  cut: 1011,
  complete: 1000,
  /** A limit that passes, or nothing that serves just now. */
  later: 1013,
} as const

/** The code for a refusal of this HTTP status, for clients that do not come back by themselves. */
export function codeOf(status: number): number {
  if (status === 429 || status === 503 || status === 529) return CLOSE_CODES.later
  return status >= 500 ? CLOSE_CODES.cut : CLOSE_CODES.refused
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-5.5 */
const MAX_REASON = 123

/** The text as a frame can carry it. */
export function toReason(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.length <= MAX_REASON
    ? text
    : `${bytes
        .subarray(0, MAX_REASON - 3)
        .toString()
        .replace(/\uFFFD$/, '')}…`
}

const NO_STATUS = 1005
/** Codes that may not be sent, or that a library sends for itself. */
const RESERVED = new Set([1004, NO_STATUS, 1006, 1015])

/** The code for a client whose vendor closed with this one; undefined: a close without a code, as the vendor's. */
export function forwardedCode(code: number): number | undefined {
  if (code === NO_STATUS) return undefined
  return RESERVED.has(code) || code < 1000 || code > 4999 ? CLOSE_CODES.cut : code
}
