import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'
import type { Db } from '@tollgate/db/connect'
import { listCorrections, listPricedLogs, type LogPosition, type PricedLog, type Sample } from '@tollgate/db/queries/ledger/verify-rows'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { Tally } from '@tollgate/ledger/verify/tally'

const PAGE = 1000
/** Only few quotes are in use at a time; each is parsed once. */
const QUOTES_KEPT = 500

/**
 * Prices every stored charge, or a sample, again from its stored quote and usage (promise L6, docs/ledger.md). Rows never change, so no
 * snapshot is needed; the next page is read while this one is priced.
 */
export async function checkPrices(db: Db, sample: Sample, signal?: AbortSignal): Promise<LedgerCheck[]> {
  const readQuote = createQuoteReader()
  const charges = new Tally('charges: equal when priced again')
  await eachPage(
    (after) => listPricedLogs(db, { after, limit: PAGE, sample }),
    signal,
    (row) => {
      charges.count()
      const expected = row.state === 'released' ? 0 : priceOf(row, readQuote)
      if (expected !== row.quota) charges.differ([describe(row, row.quota, expected)])
    },
  )
  const corrections = new Tally('corrections: with the first charge, equal when priced again')
  await eachPage(
    (after) => listCorrections(db, { after, limit: PAGE }),
    signal,
    (row) => {
      corrections.count()
      const expected = priceOf(row, readQuote)
      if (expected !== row.first + row.quota) corrections.differ([describe(row, row.first + row.quota, expected)])
    },
  )
  return [charges.result(), corrections.result()]
}

async function eachPage<Row extends LogPosition>(
  list: (after: LogPosition) => Promise<Row[]>,
  signal: AbortSignal | undefined,
  handle: (row: Row) => void,
): Promise<void> {
  let next = list({ created_at: 0, id: 0 })
  for (;;) {
    signal?.throwIfAborted()
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = list(last)
    // If `handle` throws, this page is never awaited.
    next.catch(() => undefined)
    for (const row of rows) handle(row)
  }
}

type QuoteReader = (text: string) => Quote

/** The charge by the row's quote and usage; for a row that this version cannot parse, the reason, which counts as a difference. */
function priceOf(row: PricedLog, readQuote: QuoteReader): number | string {
  try {
    // Posting wrote it from a decoded event; strict parsing would cost more than pricing.
    return chargeOf(readQuote(row.quote), JSON.parse(row.usage) as Usage).charge
  } catch (error) {
    return error instanceof Error ? error.message : 'not readable'
  }
}

function createQuoteReader(): QuoteReader {
  const known = new BoundedMap<Quote>(QUOTES_KEPT)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const quote = Quote.parse(JSON.parse(text))
    known.set(text, quote)
    return quote
  }
}

const describe = ({ id, request_id }: PricedLog, stored: number, expected: number | string): string =>
  `log ${id}, request ${request_id}: ${stored} instead of ${expected}`
