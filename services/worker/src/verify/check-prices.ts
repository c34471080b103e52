import { Quote, type Usage } from '@tollgate/contracts/quote'
import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'
import type { Db } from '@tollgate/db/connect'
import { listCorrections, listPricedLogs, type LogPosition, type PricedLog, type Sample } from '@tollgate/db/queries/verify-rows'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { Tally } from '@tollgate/ledger/verify/tally'

const PAGE = 1000
/** Few quotes are in use at a time; each is parsed once. */
const QUOTES_KEPT = 1000

/**
 * Every stored charge, or a sample, is what its stored quote and usage give (ledger.md L6). Rows never change, so no snapshot is held
 * meanwhile; the next page is read while this one is priced.
 */
export async function checkPrices(db: Db, sample: Sample, signal?: AbortSignal): Promise<LedgerCheck[]> {
  const readQuote = createQuoteReader()
  const charges = new Tally('charges: as priced again')
  await eachPage(
    (after) => listPricedLogs(db, { after, limit: PAGE, sample }),
    signal,
    (row) => {
      charges.look()
      const expected = row.state === 'released' ? 0 : priceOf(row, readQuote)
      if (expected !== row.quota) charges.differ([describe(row, row.quota, expected)])
    },
  )
  const corrections = new Tally('corrections: with the first charge, as priced again')
  await eachPage(
    (after) => listCorrections(db, { after, limit: PAGE }),
    signal,
    (row) => {
      corrections.look()
      const expected = priceOf(row, readQuote)
      if (expected !== row.first + row.quota) corrections.differ([describe(row, row.first + row.quota, expected)])
    },
  )
  return [charges.result(), corrections.result()]
}

async function eachPage<Row extends LogPosition>(
  list: (after: LogPosition) => Promise<Row[]>,
  signal: AbortSignal | undefined,
  visit: (row: Row) => void,
): Promise<void> {
  let next = list({ created_at: 0, id: 0 })
  for (;;) {
    signal?.throwIfAborted()
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = list(last)
    // Visiting may throw; then nobody waits for this page any more.
    next.catch(() => undefined)
    for (const row of rows) visit(row)
  }
}

type QuoteReader = (text: string) => Quote

/** What the row's own quote and usage give; a row that this version cannot read differs from whatever it says. */
function priceOf(row: PricedLog, readQuote: QuoteReader): number | string {
  try {
    // Border: written by posting from a decoded event. Parsing strictly would cost more than pricing does.
    return chargeOf(readQuote(row.quote), JSON.parse(row.usage) as Usage).charge
  } catch (error) {
    return error instanceof Error ? error.message : 'not readable'
  }
}

function createQuoteReader(): QuoteReader {
  const known = new Map<string, Quote>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const quote = Quote.parse(JSON.parse(text))
    if (known.size >= QUOTES_KEPT) known.clear()
    known.set(text, quote)
    return quote
  }
}

const describe = ({ id, request_id }: PricedLog, stored: number, expected: number | string): string =>
  `log ${id}, request ${request_id}: ${stored} against ${expected}`
