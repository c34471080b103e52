const MAX_MS = 3_600_000

/**
 * How long upstream asks to be left alone, in milliseconds and at most an hour; undefined: it does not say. Seconds or a date
 * (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after); `retry-after-ms` is more exact where a vendor sends it, as OpenAI does.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  nowMs: number,
): number | undefined {
  const exact = parseNumber(headers['retry-after-ms'])
  if (exact !== undefined) return bounded(exact)
  const given = headers['retry-after']
  const seconds = parseNumber(given)
  if (seconds !== undefined) return bounded(seconds * 1000)
  const date = typeof given === 'string' ? Date.parse(given) : Number.NaN
  return Number.isNaN(date) ? undefined : bounded(date - nowMs)
}

function parseNumber(value: string | readonly string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}

const bounded = (ms: number): number | undefined => (ms >= 0 ? Math.min(Math.ceil(ms), MAX_MS) : undefined)
