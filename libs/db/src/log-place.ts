import type { Span } from './spans.ts'

/** A span of time and how many rows of a filter are in it. */
export type CountedSpan = Span & { readonly rows: number }

/** The spans that hold a page, newest first, and how many rows of the first belong to earlier pages. */
export type LogPlace = { readonly spans: readonly CountedSpan[]; readonly skip: number }

/** Where a page begins and ends: a running sum over the spans, newest first. */
export function findPlace(counted: readonly CountedSpan[], { offset, limit }: { offset: number; limit: number }): LogPlace {
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

/** The spans that hold the `limit` rows older than a moment: what of that moment's own span is older is not known. */
export function findPlaceBefore(counted: readonly CountedSpan[], { before, limit }: { before: number; limit: number }): LogPlace {
  const older = counted.filter(({ from }) => from <= before)
  const own = older.filter(({ until }) => until > before)
  const { spans } = findPlace(older.slice(own.length), { offset: 0, limit })
  return { spans: [...own, ...spans], skip: 0 }
}

export const sumRows = (counted: readonly CountedSpan[]): number => counted.reduce((sum, { rows }) => sum + rows, 0)
