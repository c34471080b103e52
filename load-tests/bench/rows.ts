export type RowUnit = '' | 'KB' | 'MB'

/** One row of the table in docs/performance.md: what is compared, and its limits. */
export type RowSpec = {
  readonly id: string
  readonly title: string
  readonly unit: RowUnit
  readonly better: 'higher' | 'lower'
  /** Without limits the row is a figure that is reported and not judged. */
  readonly limits?: Limits
  /** The row is part of the 90-second form. */
  readonly isInCi: boolean
  /** Tells a reader of the report why the row misses its goal. */
  readonly limitedBy?: string
  /** The row cannot fail when the host took more than `MAX_STOLEN` of a core in one of its rounds. */
  readonly isStealSensitive: boolean
}

export type Limits = {
  /** The goal for a release. */
  readonly ship: number
  /** The bench fails beyond this. */
  readonly fail: number
  /** The limit of the short form, where it differs from `fail`: few rounds on a shared machine scatter more. */
  readonly failInCi?: number
}

type Rest = Partial<Omit<RowSpec, 'id' | 'title' | 'better' | 'limits'>>

const row = (id: string, title: string, better: RowSpec['better'], limits?: Limits, rest: Rest = {}): RowSpec => ({
  id,
  title,
  unit: '',
  better,
  isInCi: false,
  isStealSensitive: false,
  ...(limits === undefined ? {} : { limits }),
  ...rest,
})

const higher = (id: string, title: string, ship: number, fail: number, rest?: Rest): RowSpec =>
  row(id, title, 'higher', { ship, fail }, rest)
const lower = (id: string, title: string, ship: number, fail: number, rest?: Rest): RowSpec => row(id, title, 'lower', { ship, fail }, rest)
const inCi = { isInCi: true }
const FLOOR =
  'The floor moves bytes between two sockets. The relay also parses, chooses a channel and writes twice to Redis; of its time 45 % are writes to sockets, 20 % those to Redis. The faster the machine, the cheaper the floor beside them.'

const HEAP = 'Two sockets, their HTTP parsers and the state of a request; 24.0 KB are objects, 1.1 KB buffers.'

export const ROWS = {
  request1k: higher('request1k', 'CPU per request, floor ÷ relay, 1 KB at 3 000/s', 0.45, 0.38, { ...inCi, limitedBy: FLOOR }),
  request50k: higher('request50k', 'CPU per request, floor ÷ relay, 50 KB at 1 500/s', 0.42, 0.34, { ...inCi, limitedBy: FLOOR }),
  chunkSame: row(
    'chunkSame',
    'CPU per chunk, relay ÷ floor, same format, 200 × 50/s',
    'lower',
    { ship: 1.3, fail: 1.5, failInCi: 1.725 },
    inCi,
  ),
  chunkTranslated: row(
    'chunkTranslated',
    'CPU per chunk, relay ÷ floor, translated, 200 × 50/s',
    'lower',
    { ship: 1.6, fail: 1.8, failInCi: 2.07 },
    inCi,
  ),
  addedP50: lower('addedP50', 'added p50 at 200/s, relay ÷ floor with ledger', 1.45, 1.8, {
    limitedBy:
      'At 200/s each request wakes an idle process and costs it about four times the CPU of a busy one ([system.md](system.md)), in the relay more than in the shorter floor.',
  }),
  addedP99: lower('addedP99', 'added p99 at 1 000/s, relay ÷ floor with ledger', 1.5, 2.5, {
    isStealSensitive: true,
    limitedBy: 'Rounds that meet a full garbage collection (30 to 60 ms) have it as their p99; the others are near the floor with ledger.',
  }),
  heapSlow: lower('heapSlow', 'live heap per slow stream', 24, 40, { unit: 'KB', limitedBy: HEAP }),
  heapSlowAfter: lower('heapSlowAfter', 'live heap per slow stream, after 200 KB each', 24, 40, { unit: 'KB', limitedBy: HEAP }),
  rssStalled: lower('rssStalled', 'RSS growth, 20 stalled clients × 20 MB', 100, 200, { unit: 'MB' }),
  throughput1k: higher('throughput1k', 'requests per second, relay ÷ floor with ledger, 1 KB', 0.73, 0.6),
  throughput50k: row('throughput50k', 'requests per second, relay ÷ floor with ledger, 50 KB', 'higher'),
  peerRss: lower('peerRss', 'RSS at 2 000 slow streams, relay ÷ Portkey', 0.7, 0.85, {
    limitedBy: 'The streams hold 50 MB of live heap; the rest is what a relay process keeps after any burst ([system.md](system.md)).',
  }),
  twoProcesses: lower('twoProcesses', 'CPU per request, two relay processes ÷ one', 1.1, 1.25),
} as const satisfies Record<string, RowSpec>

export type RowId = keyof typeof ROWS

export type RowResult = 'ships' | 'below' | 'stolen' | 'fails' | 'figure'

/** Share of one core: above it the host, not the gateway, decides the slowest requests of a round. */
export const MAX_STOLEN = 0.02

export type Measured = {
  readonly value: number
  /** The largest share of a core that the host took in one round. */
  readonly stolen?: number
}

export function judge({ better, limits, isStealSensitive }: RowSpec, { value, stolen = 0 }: Measured, isCi: boolean): RowResult {
  if (limits === undefined) return 'figure'
  const isBeyond = (limit: number): boolean => (better === 'higher' ? !(value >= limit) : !(value <= limit))
  const fail = isCi ? (limits.failInCi ?? limits.fail) : limits.fail
  if (isBeyond(fail)) return isStealSensitive && stolen > MAX_STOLEN ? 'stolen' : 'fails'
  return isBeyond(limits.ship) ? 'below' : 'ships'
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}
