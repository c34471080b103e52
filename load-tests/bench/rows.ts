/** One row of performance.md section 3: what is compared, and where it is judged. */
export type RowSpec = {
  readonly id: string
  readonly title: string
  readonly unit: '' | 'KB' | 'MB'
  /** Which way is good. */
  readonly better: 'higher' | 'lower'
  readonly ship: number
  /** The bench fails beyond this. */
  readonly fail: number
  /** Part of the 90-second form. */
  readonly isInCi: boolean
}

const higher = (id: string, title: string, ship: number, fail: number, isInCi = false): RowSpec => ({
  id,
  title,
  unit: '',
  better: 'higher',
  ship,
  fail,
  isInCi,
})
const lower = (id: string, title: string, ship: number, fail: number, rest: Partial<RowSpec> = {}): RowSpec => ({
  id,
  title,
  unit: '',
  better: 'lower',
  ship,
  fail,
  isInCi: false,
  ...rest,
})
const inCi = { isInCi: true }

export const ROWS = {
  request1k: higher('request1k', 'CPU per request, floor ÷ relay, 1 KB at 3 000/s', 0.45, 0.4, true),
  request50k: higher('request50k', 'CPU per request, floor ÷ relay, 50 KB at 1 500/s', 0.45, 0.4, true),
  chunkSame: lower('chunkSame', 'CPU per chunk, relay ÷ floor, same dialect, 200 × 50/s', 1.3, 1.5, inCi),
  chunkTranslated: lower('chunkTranslated', 'CPU per chunk, relay ÷ floor, translated, 200 × 50/s', 1.6, 1.8, inCi),
  addedP50: lower('addedP50', 'added p50 at 200/s, relay ÷ nginx', 3, 3.5),
  addedP99: lower('addedP99', 'added p99 at 1 000/s, relay ÷ floor', 2.5, 4),
  heapSlow: lower('heapSlow', 'live heap per slow stream', 24, 40, { unit: 'KB' }),
  heapSlowAfter: lower('heapSlowAfter', 'live heap per slow stream, after 200 KB each', 24, 40, { unit: 'KB' }),
  rssStalled: lower('rssStalled', 'RSS growth, 20 stalled clients × 20 MB', 100, 200, { unit: 'MB' }),
  peer1k: higher('peer1k', 'requests per second, relay ÷ Portkey, 1 KB', 6, 4),
  peer50k: higher('peer50k', 'requests per second, relay ÷ Portkey, 50 KB', 6, 4),
  peerRss: lower('peerRss', 'RSS at 2 000 slow streams, relay ÷ Portkey', 0.7, 0.85),
  twoProcesses: lower('twoProcesses', 'CPU per request, two relay processes ÷ one', 1.05, 1.15),
} as const satisfies Record<string, RowSpec>

export type RowId = keyof typeof ROWS

export type Verdict = 'ships' | 'below' | 'fails'

/** The 90-second form has few rounds on shared machines: it fails this much later. */
const CI_SLACK = 1.15

export function judge(row: RowSpec, value: number, isCi: boolean): Verdict {
  const slack = isCi ? CI_SLACK : 1
  const fail = row.better === 'higher' ? row.fail / slack : row.fail * slack
  const isBeyond = (limit: number): boolean => (row.better === 'higher' ? !(value >= limit) : !(value <= limit))
  if (isBeyond(fail)) return 'fails'
  return isBeyond(row.ship) ? 'below' : 'ships'
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}
