import { unsealOption } from '@tollgate/config/sealing'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import { PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import type { Db } from '@tollgate/db/connect'
import { createOptionReader } from '@tollgate/db/option-reader'
import {
  countCharges,
  finishPriceReplay,
  listReplayCorrections,
  listReplayRows,
  reportReplay,
  startPriceReplay,
  type ReplayPosition,
  type ReplayRow,
} from '@tollgate/db/queries/prices/price-replays'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { pricesWith } from '@tollgate/domain/pricing/price-patch'
import { requoter } from '@tollgate/domain/pricing/requote'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { LogReplay, Quotes, type Ended } from './log-replay.ts'
import { ReplaySums } from './replay-sums.ts'

type ReplayDeps = Pick<Deps, 'db' | 'secrets' | 'now'>

const PAGE = 5000

/** Reads only, except for its own progress and result: safe to run twice. */
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
      const requote = requoter(merged.prices)
      const run: Run = {
        replay: new LogReplay({ db: deps.db, ...order, pageSize: PAGE, signal, report: (done) => reportReplay(deps.db, id, done) }),
        quotes: new Quotes(deps.db, (before) => ({ before, after: requote(before) })),
        sums,
      }
      const ended = (await replayCharges(run)) ?? (await replayCorrections(run))
      if (ended !== undefined) return { state: ended, requests: sums.requests }
      const result = sums.result(await countCharges(deps.db, order))
      await finishPriceReplay(deps.db, id, { state: 'done', finished_at: finished_at(), done: run.replay.done, result })
      return { state: 'done', requests: sums.requests }
    } catch (error) {
      await finishPriceReplay(deps.db, id, { state: 'failed', finished_at: finished_at() })
      throw error
    }
  }

type Requoted = { readonly before: Quote; readonly after: Quote | undefined }

type Run = {
  readonly replay: LogReplay
  readonly quotes: Quotes<Requoted>
  readonly sums: ReplaySums
}

function replayCharges(run: Run): Promise<Ended> {
  return eachRow(run, listReplayRows, (row, { before, after }) => {
    const usage = JSON.parse(row.usage) as Usage // as posting wrote it
    run.sums.add(row, before, after === undefined ? undefined : quotaOf(after, usage))
  })
}

/** A correction changes a charge to that of its final usage; so does the replayed one. */
function replayCorrections(run: Run): Promise<Ended> {
  return eachRow(run, listReplayCorrections, (row, { before, after }) => {
    const [usage, first] = [JSON.parse(row.usage) as Usage, JSON.parse(row.first_usage) as Usage] // as above
    const charged = after === undefined || row.first_state === 'released' ? 0 : quotaOf(after, first)
    run.sums.add(row, before, after === undefined ? undefined : quotaOf(after, usage) - charged)
  })
}

type List<Row> = (db: Db, page: { readonly after: ReplayPosition; readonly until: number; readonly limit: number }) => Promise<Row[]>

function eachRow<Row extends ReplayRow>(
  { replay, quotes }: Run,
  list: List<Row>,
  handle: (row: Row, quote: Requoted) => void,
): Promise<Ended> {
  return replay.eachPage(list, async (rows) => {
    await quotes.load(rows)
    for (const row of rows) {
      const quote = quotes.of(row)
      if (quote === undefined) throw new Error('the quote of a charge was not read')
      handle(row, quote)
    }
  })
}
