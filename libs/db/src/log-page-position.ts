import type { Span } from './spans.ts'

/** A span of time and the number of matching rows in it. */
export type CountedSpan = Span & { readonly rows: number }

/** The spans that contain a page, newest first, and how many rows of the first span belong to earlier pages. */
export type LogPagePosition = { readonly spans: readonly CountedSpan[]; readonly skip: number }

/** Finds the spans of a page by a running sum over the spans, newest first. */
export function findPagePosition(counted: readonly CountedSpan[], { offset, limit }: { offset: number; limit: number }): LogPagePosition {
  const spans: CountedSpan[] = []
  let before = 0
  let skip = 0
  for (const span of counted) {
    if (before >= offset + limit) break
    if (before + span.rows > offset) {
      if (spans.length === 0) skip = offset - before
      spans.push(span)
    }
    before += span.rows
  }
  return { spans, skip }
}

/** The spans of the `limit` rows older than `before`. The span around `before` is always one of them: its count does not say how many are older. */
export function findPagePositionBefore(
  counted: readonly CountedSpan[],
  { before, limit }: { before: number; limit: number },
): LogPagePosition {
  const older = counted.filter(({ from }) => from <= before)
  const own = older.filter(({ until }) => until > before)
  const { spans } = findPagePosition(older.slice(own.length), { offset: 0, limit })
  return { spans: [...own, ...spans], skip: 0 }
}

export const sumRows = (counted: readonly CountedSpan[]): number => counted.reduce((sum, { rows }) => sum + rows, 0)
