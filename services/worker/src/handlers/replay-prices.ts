import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { unsealOption } from '@tollgate/config/sealing'
import { Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import type { Db } from '@tollgate/db/connect'
import { createOptionReader } from '@tollgate/db/option-reader'
import {
  countCharges,
  finishPriceReplay,
  listQuotes,
  listReplayCorrections,
  listReplayRows,
  reportReplay,
  startPriceReplay,
  type ReplayPosition,
  type ReplayRow,
} from '@tollgate/db/queries/prices/price-replays'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { pricesWith } from '@tollgate/domain/pricing/price-patch'
import { requoter, type Requote } from '@tollgate/domain/pricing/requote'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { ReplaySums } from './replay-sums.ts'

type ReplayDeps = Pick<Deps, 'db' | 'secrets' | 'now'>

const PAGE = 5000
const REPORT_EVERY_MS = 1000
/** Few quotes are in use at a time: one per model, group and price version. */
const QUOTES_KEPT = 5000

/**
 * Reads only, except for its own progress and result: safe to run twice. The next page is read while one is priced, and no more than two
 * pages are in memory.
 */
export const replayPrices =
  (deps: ReplayDeps): Handler<'replay-prices'> =>
  async ({ id }, { signal }) => {
    const order = await startPriceReplay(deps.db, id)
    if (order === undefined) return { state: 'cancelled', requests: 0 }
    const finished_at = (): number => Math.floor(deps.now() / 1000)
    try {
      const stored = await createOptionReader(deps.db, unsealOption(deps.secrets)).pick(PRICE_OPTIONS)
      const merged = pricesWith(stored, order.prices)
      if ('refused' in merged) throw new Error(`${merged.refused} is not valid`)
      const sums = new ReplaySums()
      const run: Run = {
        db: deps.db,
        id,
        ...order,
        signal,
        quotes: new Quotes(deps.db, requoter(merged.prices)),
        sums,
        done: 0,
        reported: 0,
      }
      const ended = (await replayCharges(run)) ?? (await replayCorrections(run))
      if (ended !== undefined) return { state: ended, requests: sums.requests }
      const result = sums.result(await countCharges(deps.db, order))
      await finishPriceReplay(deps.db, id, { state: 'done', finished_at: finished_at(), done: run.done, result })
      return { state: 'done', requests: sums.requests }
    } catch (error) {
      await finishPriceReplay(deps.db, id, { state: 'failed', finished_at: finished_at() })
      throw error
    }
  }

type Run = {
  readonly db: Db
  readonly id: number
  readonly since: number
  readonly until: number
  readonly signal: AbortSignal
  readonly quotes: Quotes
  readonly sums: ReplaySums
  done: number
  reported: number
}

/** Why a replay ends before its last page. */
type Ended = 'cancelled' | 'stopped' | undefined

function replayCharges(run: Run): Promise<Ended> {
  return eachPage(run, listReplayRows, (row, { before, after }) => {
    const usage = JSON.parse(row.usage) as Usage // as posting wrote it
    run.sums.add(row, before, after === undefined ? undefined : quotaOf(after, usage))
  })
}

/** A correction changes a charge to that of its final usage; so does the replayed one. */
function replayCorrections(run: Run): Promise<Ended> {
  return eachPage(run, listReplayCorrections, (row, { before, after }) => {
    const [usage, first] = [JSON.parse(row.usage) as Usage, JSON.parse(row.first_usage) as Usage] // as above
    const charged = after === undefined || row.first_state === 'released' ? 0 : quotaOf(after, first)
    run.sums.add(row, before, after === undefined ? undefined : quotaOf(after, usage) - charged)
  })
}

type Page = { readonly after: ReplayPosition; readonly until: number; readonly limit: number }

async function eachPage<Row extends ReplayRow>(
  run: Run,
  list: (db: Db, page: Page) => Promise<Row[]>,
  handle: (row: Row, quote: Requoted) => void,
): Promise<Ended> {
  const { db, until, signal } = run
  let next = list(db, { after: { created_at: run.since, id: 0 }, until, limit: PAGE })
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return undefined
    next = list(db, { after: last, until, limit: PAGE })
    // A page that is not needed any more is never awaited.
    next.catch(() => undefined)
    await run.quotes.load(rows)
    for (const row of rows) handle(row, run.quotes.of(row))
    run.done += rows.length
    const ended = await report(run)
    if (signal.aborted) return 'stopped'
    if (ended) return 'cancelled'
  }
}

/** Stores the progress once a second; true when the replay was cancelled. */
async function report(run: Run): Promise<boolean> {
  const now = performance.now()
  if (now - run.reported < REPORT_EVERY_MS) return false
  run.reported = now
  return !(await reportReplay(run.db, run.id, run.done))
}

type Requoted = { readonly before: Quote; readonly after: Quote | undefined }

/** Stored quotes and their new ones by hash; each is read, parsed and quoted again once. */
class Quotes {
  readonly #known = new BoundedMap<Requoted>(QUOTES_KEPT)
  readonly #db: Db
  readonly #requote: Requote

  constructor(db: Db, requote: Requote) {
    this.#db = db
    this.#requote = requote
  }

  async load(rows: readonly ReplayRow[]): Promise<void> {
    const missing = new Map(rows.filter(({ quote }) => this.#known.get(quote) === undefined).map((row) => [row.quote, row]))
    if (missing.size === 0) return
    for (const [hash, text] of await listQuotes(this.#db, [...missing.values()])) {
      const before = Quote.parse(JSON.parse(text))
      this.#known.set(hash, { before, after: this.#requote(before) })
    }
  }

  of({ quote }: ReplayRow): Requoted {
    const found = this.#known.get(quote)
    if (found === undefined) throw new Error('the quote of a charge was not read')
    return found
  }
}
