import { unsealOption } from '@tollgate/config/sealing'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { BilledAmounts, InvoiceResult } from '@tollgate/contracts/resources/vendor-invoices'
import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { NewEvent } from '@tollgate/db/queries/deliveries/events'
import { createOptionReader } from '@tollgate/db/option-reader'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import { findFirstLogTime, listBilledRows, type BilledRow } from '@tollgate/db/queries/invoices/billed-rows'
import { failInvoice, finishInvoice, reportInvoice, startInvoice, type InvoiceOrder } from '@tollgate/db/queries/invoices/vendor-invoices'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { Decimal } from '@tollgate/domain/pricing/decimal'
import { compareInvoice as compareWithLog } from '@tollgate/domain/vendor-invoices/compare'
import { daysBetween } from '@tollgate/domain/vendor-invoices/days'
import type { BilledLine } from '@tollgate/domain/vendor-invoices/invoice-sums'
import { recordRequest, type RecordingFacts } from '@tollgate/domain/vendor-invoices/record-request'
import { RecordedUsage } from '@tollgate/domain/vendor-invoices/recorded-usage'
import { toResult } from '@tollgate/domain/vendor-invoices/to-result'
import type { Handler } from '@tollgate/jobs/jobs'
import { parseJsonObject } from '@tollgate/providers/json'
import type { Deps } from '../deps.ts'
import { LogReplay, Quotes } from './log-replay.ts'

type InvoiceDeps = Pick<Deps, 'db' | 'secrets' | 'now'>

const PAGE = 2000

/** Reads the log and replaces the lines of its own invoice: safe to run twice. */
export const compareInvoice =
  (deps: InvoiceDeps): Handler<'compare-invoice'> =>
  async ({ id }, { signal }) => {
    const { db } = deps
    const order = await startInvoice(db, id)
    if (order === undefined) return { state: 'cancelled', lines: 0, differing: 0 }
    const finished_at = (): number => Math.floor(deps.now() / 1000)
    try {
      const days = daysBetween(order.first_day, order.last_day, order.time_zone)
      // A day beside each end is needed to see that the vendor's days begin at other hours.
      const since = (days[0]?.start ?? 0) - DAY_SECONDS
      const until = (days.at(-1)?.end ?? 0) + DAY_SECONDS
      const replay = new LogReplay({ db, since, until, pageSize: PAGE, signal, report: (done) => reportInvoice(db, id, done) })
      const facts = await readFacts(deps)
      const recorded = new RecordedUsage()
      const quotes = new Quotes(db, (quote) => quote)
      const ended = await replay.eachPage(listBilledRows, async (rows) => {
        await quotes.load(rows)
        for (const row of rows) recordRequest(recorded, toRequest(row, quotes.of(row)), facts)
      })
      if (ended !== undefined) return { state: ended, lines: 0, differing: 0 }
      const compared = compareWithLog({ ...orderOf(order), days, recorded })
      const first = await findFirstLogTime(db)
      const { result, lines } = toResult(compared, { logs_from: first > since + DAY_SECONDS ? first : 0 })
      const ending = { state: 'done', finished_at: finished_at(), done: replay.done, result } as const
      await finishInvoice(db, { id, lines, ending, event: eventOf(order, { id, ...ending }) })
      return { state: 'done', lines: result.lines, differing: result.differing }
    } catch (error) {
      await failInvoice(db, id, { state: 'failed', finished_at: finished_at() })
      throw error
    }
  }

type Ended = { readonly id: number; readonly finished_at: UnixSeconds; readonly result: InvoiceResult }

function eventOf(order: InvoiceOrder, { id, finished_at, result }: Ended): NewEvent<'invoice.differs'> | undefined {
  const { name, vendor, first_day, last_day } = order
  const { lines, differing } = result
  if (differing === 0) return undefined
  return { type: 'invoice.differs', data: { invoice_id: id, name, vendor, first_day, last_day, lines, differing }, now: finished_at }
}

const orderOf = ({ billed, channel_ids, accounts, created_at }: InvoiceOrder) => ({
  billed: billed.map(toBilled),
  channel_ids,
  accounts,
  closed_at: created_at,
})

const toBilled = ({ dollars, ...line }: BilledAmounts): BilledLine => ({
  ...line,
  dollars: dollars === null ? null : Decimal.parse(dollars),
})

function toRequest({ created_at, model_name, usage, attempts, ended_by, ...row }: BilledRow, quote: Quote | undefined) {
  return {
    ...row,
    at: created_at,
    model: model_name,
    quote,
    // Posting wrote all three.
    usage: usage === null ? undefined : (JSON.parse(usage) as Usage),
    attempts: attempts === null ? [] : (JSON.parse(attempts) as StoredExplanation['attempts']),
    ended_by: (ended_by ?? undefined) as StoredExplanation['ended_by'],
  }
}

/** The present cost ratios of channels. */
async function readFacts({ db, secrets }: InvoiceDeps): Promise<RecordingFacts> {
  const rows = await listRoutedChannels(db)
  const settings = new Map(rows.map(({ id, setting }) => [id, parseJsonObject(setting) ?? {}]))
  const quota_per_unit = await createOptionReader(db, unsealOption(secrets)).get('QuotaPerUnit')
  return { quota_per_unit, costRatioOf: (id, model) => costRatioOf({ setting: settings.get(id) ?? {} }, model) }
}
