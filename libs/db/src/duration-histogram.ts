/**
 * Counts of durations in buckets of a fixed logarithmic scale, packed into one decimal number (ADR 55): bucket i occupies the twelve
 * digits from 10^(12 i), so that adding two numbers adds their histograms, and Postgres merges any number of rows with sum().
 */
export type DurationHistogram = bigint

const DIGITS = 12
/** Bucket 0 ends here; each further one ends at 2^(1/3) times the end of the one before. */
const FIRST_END_MS = 50
const BUCKETS_PER_DOUBLING = 3
/** The last bucket also holds everything longer than 13 minutes. */
const BUCKETS = 44

export const EMPTY_HISTOGRAM: DurationHistogram = 0n

/** A histogram of one duration. Sums of them are histograms of many. */
export function toHistogram(ms: number): DurationHistogram {
  return ONE_IN[bucketOf(ms)] ?? EMPTY_HISTOGRAM
}

/** The number as Postgres reads it: trailing zeros as an exponent, because most rows fill few buckets. */
export function encodeHistogram(histogram: DurationHistogram): string {
  const text = histogram.toString()
  const digits = text.replace(/0+$/, '')
  return digits === '' ? '0' : `${digits}e${text.length - digits.length}`
}

/** Counts of the buckets, from the text of a stored number. Much faster than through a bigint: an answer has thousands. */
export type DurationCounts = readonly number[]

export function decodeHistogram(text: string): DurationCounts {
  const counts: number[] = []
  for (let end = text.length; end > 0; end -= DIGITS) counts.push(Number(text.slice(Math.max(0, end - DIGITS), end)))
  return counts
}

export function mergeCounts(all: readonly DurationCounts[]): DurationCounts {
  const sum: number[] = []
  for (const counts of all) for (const [bucket, count] of counts.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
  return sum
}

/** The counts of `all` without those of `part`, which is included in it. */
export function subtractCounts(all: DurationCounts, part: DurationCounts): DurationCounts {
  return all.map((count, bucket) => count - (part[bucket] ?? 0))
}

/** The duration below which this share of the counted ones lies, interpolated inside its bucket; undefined when nothing was counted. */
export function percentileOf(counts: DurationCounts, share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let below = 0
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= share * total) {
      const [from, to] = [bucket === 0 ? 0 : endOf(bucket - 1), endOf(bucket)]
      return Math.round(from + (to - from) * Math.max(0, (share * total - below) / count))
    }
    below += count
  }
  return undefined
}

function bucketOf(ms: number): number {
  if (!(ms > FIRST_END_MS)) return 0
  return Math.min(BUCKETS - 1, Math.ceil(Math.log2(ms / FIRST_END_MS) * BUCKETS_PER_DOUBLING))
}

const endOf = (bucket: number): number => FIRST_END_MS * 2 ** (bucket / BUCKETS_PER_DOUBLING)

const ONE_IN: readonly DurationHistogram[] = Array.from({ length: BUCKETS }, (_, bucket) => 10n ** BigInt(DIGITS * bucket))
