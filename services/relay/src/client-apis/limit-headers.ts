import type { LimitLeft } from '@tollgate/ledger/client/types'
import type { LimitHeaders, LimitsLeft } from '../request/client-api.ts'

/** OpenAI's limit headers: https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers */
export function openAiLimitHeaders(left: LimitsLeft): LimitHeaders {
  return headersOf(left, (name, { limit, remaining, reset_ms }) => [
    [`x-ratelimit-limit-${name}`, String(limit)],
    [`x-ratelimit-remaining-${name}`, String(remaining)],
    [`x-ratelimit-reset-${name}`, toDuration(reset_ms)],
  ])
}

/** Anthropic's limit headers, with times of day: https://docs.anthropic.com/en/api/rate-limits#response-headers */
export function anthropicLimitHeaders(left: LimitsLeft, nowMs: number): LimitHeaders {
  return headersOf(left, (name, { limit, remaining, reset_ms }) => [
    [`anthropic-ratelimit-${name}-limit`, String(limit)],
    [`anthropic-ratelimit-${name}-remaining`, String(remaining)],
    [`anthropic-ratelimit-${name}-reset`, `${new Date(Math.ceil((nowMs + reset_ms) / 1000) * 1000).toISOString().slice(0, -5)}Z`],
  ])
}

const KINDS = ['requests', 'tokens'] as const

/** All that `openAiLimitHeaders` can set. */
export const OPENAI_LIMIT_HEADERS = KINDS.flatMap((name) => ['limit', 'remaining', 'reset'].map((field) => `x-ratelimit-${field}-${name}`))

/** All that `anthropicLimitHeaders` can set. */
export const ANTHROPIC_LIMIT_HEADERS = KINDS.flatMap((name) =>
  ['limit', 'remaining', 'reset'].map((field) => `anthropic-ratelimit-${name}-${field}`),
)

type Row = readonly [string, string]

function headersOf({ requests, tokens }: LimitsLeft, rowsOf: (name: string, left: LimitLeft) => Row[]): LimitHeaders {
  return Object.fromEntries([
    ...(requests === undefined ? [] : rowsOf('requests', requests)),
    ...(tokens === undefined ? [] : rowsOf('tokens', tokens)),
  ])
}

/** Go's duration format: 1m0s, 6.5s, 120ms. */
function toDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  const minutes = Math.floor(ms / 60_000)
  const seconds = (ms % 60_000) / 1000
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds}s`
}
