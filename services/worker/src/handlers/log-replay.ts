import { Quote } from '@tollgate/contracts/pricing/quote'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import type { Db } from '@tollgate/db/connect'
import { listQuotes, type ReplayPosition } from '@tollgate/db/queries/prices/price-replays'

const REPORT_EVERY_MS = 1000
/** Few quotes are in use at a time: one per model, group and price version. */
const QUOTES_KEPT = 5000

type Page = { readonly after: ReplayPosition; readonly until: number; readonly limit: number }

/** Why a replay ends before its last page. */
export type Ended = 'cancelled' | 'stopped' | undefined

type Options = {
  readonly db: Db
  readonly since: number
  readonly until: number
  readonly pageSize: number
  readonly signal: AbortSignal
  /** Stores the progress; false when the replay was cancelled. */
  readonly report: (done: number) => Promise<boolean>
}

/** Reads the log of a time once more. The next page is read while one is handled, and no more than two pages are in memory. */
export class LogReplay {
  /** Rows that were handled, over all passes. */
  done = 0
  #reported = 0
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async eachPage<Row extends ReplayPosition>(
    list: (db: Db, page: Page) => Promise<Row[]>,
    handle: (rows: readonly Row[]) => Promise<void>,
  ): Promise<Ended> {
    const { db, since, until, pageSize: limit, signal } = this.#options
    let next = list(db, { after: { created_at: since, id: 0 }, until, limit })
    for (;;) {
      const rows = await next
      const last = rows.at(-1)
      if (last === undefined) return undefined
      next = list(db, { after: last, until, limit })
      // A page that is not needed any more is never awaited.
      next.catch(() => undefined)
      await handle(rows)
      this.done += rows.length
      const isCancelled = await this.#report()
      if (signal.aborted) return 'stopped'
      if (isCancelled) return 'cancelled'
    }
  }

  /** Stores the progress once a second; true when the replay was cancelled. */
  async #report(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#reported < REPORT_EVERY_MS) return false
    this.#reported = now
    return !(await this.#options.report(this.done))
  }
}

type Quoted = { /** The hash of the stored quote. */ readonly quote: string | null }

/** Values made of stored quotes, by hash; each quote is read and parsed once while it is in use. */
export class Quotes<Made> {
  readonly #known = new BoundedMap<Made>(QUOTES_KEPT)
  readonly #db: Db
  readonly #make: (quote: Quote) => Made

  constructor(db: Db, make: (quote: Quote) => Made) {
    this.#db = db
    this.#make = make
  }

  async load(rows: readonly (ReplayPosition & Quoted)[]): Promise<void> {
    const missing = new Map(
      rows.filter(({ quote }) => quote !== null && this.#known.get(quote) === undefined).map((row) => [row.quote, row]),
    )
    if (missing.size === 0) return
    for (const [hash, text] of await listQuotes(this.#db, [...missing.values()]))
      this.#known.set(hash, this.#make(Quote.parse(JSON.parse(text))))
  }

  of({ quote }: Quoted): Made | undefined {
    return quote === null ? undefined : this.#known.get(quote)
  }
}
