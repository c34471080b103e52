import type { ErrorCode } from '../errors.ts'

/**
 * Formats of clients, as far as they read refusals differently. `chat` stands for all OpenAI routes but `/v1/responses`; `other` for the
 * drawing, music and video APIs, whose errors have shapes of their own.
 */
export const REFUSAL_FORMATS = ['chat', 'responses', 'messages', 'gemini', 'other'] as const
export type RefusalFormat = (typeof REFUSAL_FORMATS)[number]

/** Deviations of one format from the error table; an absent field is the table's. */
export type RefusalShape = {
  readonly status?: number
  readonly type?: string
  readonly code?: string
  /** Replaces the text, because a client knows this one. */
  readonly message?: string
}

/** Type and code of OpenAI's 429 for an account without quota: https://platform.openai.com/docs/guides/error-codes */
export const INSUFFICIENT_QUOTA = 'insufficient_quota'

const OPENAI_NO_QUOTA = { status: 429, type: INSUFFICIENT_QUOTA, code: INSUFFICIENT_QUOTA } as const

/**
 * The caller's own quota is used up. Seen on 2026-11-27: Claude Code 2.1.332 takes 403 for a failed sign-in and repeats 401 for minutes;
 * Codex 0.171 repeats 401, 402 and 403 six times and stops at 429 `insufficient_quota`; OpenCode 1.18 and Gemini CLI 0.61 repeat 429.
 */
const NO_QUOTA: Readonly<Record<RefusalFormat, RefusalShape>> = {
  chat: { status: 403 },
  responses: OPENAI_NO_QUOTA,
  messages: { status: 402, type: 'billing_error' },
  gemini: { status: 403 },
  other: {},
}

/** The words on which Claude Code 2.1.332 ends its turn instead of repeating the request. */
const BLOCKED = 'Output blocked by content filtering policy'

/** Refusals that are not the same in every format. */
export const CLIENT_REFUSALS: Readonly<Partial<Record<ErrorCode, Partial<Readonly<Record<RefusalFormat, RefusalShape>>>>>> = {
  'quota.user-empty': NO_QUOTA,
  'quota.user-short': NO_QUOTA,
  'quota.token-short': NO_QUOTA,
  'token.empty': NO_QUOTA,
  'token.exhausted': NO_QUOTA,
  'budget.reached': NO_QUOTA,
  'budget.reached-total': NO_QUOTA,
  // Codex 0.171 shows the bare words of `invalid_prompt`, and the JSON body of any other 400.
  'content.sensitive': { messages: { message: BLOCKED }, responses: { code: 'invalid_prompt' } },
}

/** Refusals with a status on which SDKs repeat a request, although the same request fails until a person acts. */
const LASTING: ReadonlySet<string> = new Set<ErrorCode>(['upstream.auth', 'upstream.money', 'upstream.timeout', 'route.unimplemented'])

/** Client errors on which SDKs repeat a request. */
const HEALING: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** True if repeating the request cannot help, so that `x-should-retry: false` tells SDKs not to. */
export function isLasting(code: ErrorCode, status: number): boolean {
  return LASTING.has(code) || CLIENT_REFUSALS[code] !== undefined || (status >= 400 && status < 500 && !HEALING.has(status))
}

/** How the client's own quota is refused: option `QuotaErrorStatus`. */
export type QuotaStatus = 403 | 429 | 'by-format'

/** The shape of a refusal in a format, with the operator's choice for the caller's own quota. */
export function refusalShape(code: ErrorCode, format: RefusalFormat, quotaStatus: QuotaStatus): RefusalShape {
  const shapes = CLIENT_REFUSALS[code]
  if (shapes === NO_QUOTA && quotaStatus === 429) return OPENAI_NO_QUOTA
  if (shapes === NO_QUOTA && quotaStatus === 403) return { status: 403 }
  return shapes?.[format] ?? {}
}

/** openai-node 7.57 ignores a longer wait and repeats at once. In seconds. */
const LONGEST_SHOWN_WAIT_S = 60

/** A limit of so many per minute can ask for a little more than a minute: such a wait is shown as 60 s, and its rest afterwards. */
const LONGEST_MINUTE_S = 90

/** The headers that tell a client when to repeat a request. */
export function retryHeaders(
  format: RefusalFormat,
  { retry_after_s, should_retry }: { readonly retry_after_s?: number | undefined; readonly should_retry?: boolean | undefined },
): Record<string, string> {
  const isExact = format === 'messages' || format === 'gemini'
  const isLong = retry_after_s !== undefined && retry_after_s > LONGEST_MINUTE_S
  // Codex 0.171 and OpenCode 1.18 sleep a long wait out in silence; Claude Code 2.1.332 ends its turn and shows the words.
  const isShown = retry_after_s !== undefined && (!isLong || isExact)
  const shown = isExact ? retry_after_s : Math.min(retry_after_s ?? 0, LONGEST_SHOWN_WAIT_S)
  const retries = isLong ? false : should_retry
  return {
    ...(isShown ? { 'Retry-After': String(shown) } : {}),
    ...(retries === undefined ? {} : { 'x-should-retry': String(retries) }),
  }
}
