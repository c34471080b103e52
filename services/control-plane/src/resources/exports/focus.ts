import { REFUNDED } from '@tollgate/contracts/enums'
import { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { listChargedLogs, type ExplainedLogRow } from '@tollgate/db/queries/logs/logs'
import { Decimal } from '@tollgate/domain/pricing/decimal'
import { costOf, focusLinesOf, pricedQuantityOf, unexplainedLine, type FocusLine } from '@tollgate/domain/pricing/focus'
import { dollarsOf } from '@tollgate/domain/pricing/format'
import { makerModels } from '@tollgate/providers/catalogue/maker-models.gen'
import type { CsvColumn, DecimalCell } from '../../csv.ts'
import type { Deps } from '../../deps.ts'
import { inSlices } from '../../in-slices.ts'
import { pagesAfter } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

/** Charges of a day with the same wallet, token, model, group, meter and price; a refund or correction has no meter. */
export type FocusRow = {
  readonly day: UnixSeconds
  readonly user: { readonly id: number; readonly name: string }
  readonly token: { readonly id: number; readonly name: string }
  readonly model: string
  readonly group: string
  readonly line: FocusLine | undefined
  readonly billed: Decimal
  readonly requests: number
}

/** Who bills, and for whom the file is. */
export type FocusFile = {
  readonly month: { readonly from: UnixSeconds; readonly until: UnixSeconds }
  /** The operator. */
  readonly provider: string
  /** The account that is billed; its parts are users, or the tokens of one. */
  readonly account: { readonly id: string; readonly name: string }
  readonly parts: 'users' | 'tokens'
}

/** Reading an entry from its event takes 50 µs, and nothing else runs while a page is read. */
const PAGE = 100
/** Rows of a day that are held; a day with more comes in several parts, which the format allows. */
const MAX_HELD = 20_000

type Reading = {
  readonly user_id: number
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  /** Used for entries that do not state it. */
  readonly quota_per_unit: number
}

/** The charges of a user in a month, newest day first. */
export async function* focusRows(deps: Deps, { user_id, from, until, quota_per_unit }: Reading): AsyncGenerator<readonly FocusRow[]> {
  let held = new Map<string, FocusRow>()
  const pages = pagesAfter<ExplainedLogRow>(PAGE, (before) =>
    withReadSnapshot(deps, (tx) => listChargedLogs(tx, { user_id, from, until: until - 1, before, limit: PAGE })),
  )
  for await (const entries of pages)
    for await (const made of inSlices(entries, (entry) => rowsOf(entry, quota_per_unit)))
      for (const row of made.flat()) {
        const [first] = held.values()
        if (first !== undefined && (first.day !== row.day || held.size >= MAX_HELD)) {
          yield [...held.values()]
          held = new Map()
        }
        add(held, row)
      }
  if (held.size > 0) yield [...held.values()]
}

function add(held: Map<string, FocusRow>, row: FocusRow): void {
  const { token, model, group, line } = row
  const key = JSON.stringify([
    token.id,
    token.name,
    model,
    group,
    categoryOf(row),
    line?.meter,
    line?.unit,
    String(line?.list_price),
    String(line?.price),
  ])
  const before = held.get(key)
  if (before === undefined) {
    held.set(key, row)
    return
  }
  const quantity = (before.line?.quantity ?? 0) + (line?.quantity ?? 0)
  const sum = line === undefined ? undefined : { ...line, quantity }
  held.set(key, { ...before, line: sum, billed: before.billed.plus(row.billed), requests: before.requests + row.requests })
}

/** The rows of a log entry; their `billed` sums to what it booked. */
function rowsOf(row: ExplainedLogRow, quota_per_unit: number): FocusRow[] {
  const shared = {
    day: row.created_at - (row.created_at % DAY_SECONDS),
    user: { id: row.user_id, name: row.username },
    token: { id: row.token_id, name: row.token_name },
    model: row.model_name,
    group: row.group,
    requests: 1,
  }
  const quote = Quote.safeParse(row.quote).data
  const usage = Usage.safeParse(row.usage).data
  const unit = quote?.quota_per_unit ?? quota_per_unit
  // They change an earlier charge; its usage is counted with that.
  if (row.state === REFUNDED || row.state === 'late') return [{ ...shared, line: undefined, billed: dollarsOf(row.quota, unit) }]
  if (quote !== undefined && usage !== undefined)
    return focusLinesOf(quote, usage, row.quota).map((line) => ({ ...shared, line, billed: line.billed }))
  const line = unexplainedLine(dollarsOf(row.quota, unit))
  return row.quota === 0 ? [] : [{ ...shared, line, billed: line.billed }]
}

/** The maker of each model that the catalogue knows. */
const MAKERS = new Map<string, string>(
  Object.entries(makerModels).flatMap(([maker, models]) => models.map((model) => [model, maker] as const)),
)

/** The validator takes a column of whole numbers for integers, which costs are not (focus-validator 2.2.1). */
function decimal(value: Decimal): DecimalCell {
  const text = value.toString()
  return { decimal: text.includes('.') ? text : `${text}.0` }
}

const timeOf = (seconds: UnixSeconds): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

function categoryOf({ line, billed }: FocusRow): string {
  if (line !== undefined) return 'Usage'
  return billed.isGreaterThan(Decimal.zero) ? 'Adjustment' : 'Credit'
}

const always = (name: string, text: string): CsvColumn<FocusRow> => ({ name, of: () => text })
const billed = (name: string): CsvColumn<FocusRow> => ({ name, of: (row) => decimal(row.billed) })
const ofLine = (name: string, of: (line: FocusLine, row: FocusRow) => string | DecimalCell): CsvColumn<FocusRow> => ({
  name,
  of: (row) => (row.line === undefined ? '' : of(row.line, row)),
})
const cost = (name: string, priceOf: (line: FocusLine) => Decimal): CsvColumn<FocusRow> => ({
  name,
  of: ({ line, billed: refund }) => decimal(line === undefined ? refund : costOf(line, priceOf(line))),
})
const sku = (line: FocusLine, { model }: FocusRow): string => `${model}/${line.meter}`

/** Every column of FOCUS 1.2 that applies: https://focus.finops.org/focus-specification/v1-2/ */
export const focusColumns = (file: FocusFile): readonly CsvColumn<FocusRow>[] => [
  billed('BilledCost'),
  billed('EffectiveCost'),
  cost('ListCost', (line) => line.list_price),
  cost('ContractedCost', (line) => line.price),
  ofLine('ListUnitPrice', (line) => decimal(line.list_price)),
  ofLine('ContractedUnitPrice', (line) => decimal(line.price)),
  ...chargeColumns(file),
  ofLine('PricingCategory', () => 'Standard'),
  always('PricingCurrency', 'USD'),
  ofLine('PricingCurrencyContractedUnitPrice', (line) => decimal(line.price)),
  billed('PricingCurrencyEffectiveCost'),
  ofLine('PricingCurrencyListUnitPrice', (line) => decimal(line.list_price)),
  ofLine('PricingQuantity', (line) => decimal(pricedQuantityOf(line))),
  ofLine('PricingUnit', ({ per, unit }) => (per === 1 ? unit : `${per} ${unit}`)),
  ofLine('ConsumedQuantity', ({ quantity }) => decimal(Decimal.of(quantity))),
  ofLine('ConsumedUnit', ({ unit }) => unit),
  ofLine('SkuId', sku),
  ofLine('SkuPriceId', (line, row) => `${sku(line, row)}/${line.list_price.toString()}/${line.price.toString()}`),
  ofLine('SkuMeter', ({ meter }) => meter),
  ofLine('SkuPriceDetails', (_line, { group }) => JSON.stringify({ x_Group: group })),
  ...partColumns(file),
  always('InvoiceId', ''),
  always('CommitmentDiscountStatus', ''),
  { name: 'x_Model', of: ({ model }) => model },
  { name: 'x_RequestCount', of: ({ requests }) => requests },
]

/** Who is billed by whom, for which day and service. */
const chargeColumns = ({ month, provider, account }: FocusFile): readonly CsvColumn<FocusRow>[] => [
  always('BillingCurrency', 'USD'),
  always('BillingAccountId', account.id),
  always('BillingAccountName', account.name),
  always('BillingPeriodStart', timeOf(month.from)),
  always('BillingPeriodEnd', timeOf(month.until)),
  { name: 'ChargePeriodStart', of: ({ day }) => timeOf(day) },
  { name: 'ChargePeriodEnd', of: ({ day }) => timeOf(day + DAY_SECONDS) },
  { name: 'ChargeCategory', of: categoryOf },
  always('ChargeClass', ''),
  { name: 'ChargeDescription', of: ({ model, line }) => `${model}: ${line?.meter ?? 'Refund or correction'}` },
  { name: 'ChargeFrequency', of: ({ line }) => (line === undefined ? 'One-Time' : 'Usage-Based') },
  always('ProviderName', provider),
  { name: 'PublisherName', of: ({ model }) => MAKERS.get(model) ?? provider },
  always('InvoiceIssuerName', provider),
  always('ServiceCategory', 'AI and Machine Learning'),
  always('ServiceSubcategory', 'Generative AI'),
  always('ServiceName', 'Model inference'),
]

function partColumns({ parts }: FocusFile): readonly CsvColumn<FocusRow>[] {
  const idOf = ({ user, token }: FocusRow): string => (parts === 'users' ? `user-${user.id}` : `token-${token.id}`)
  return [
    { name: 'SubAccountId', of: idOf },
    { name: 'SubAccountName', of: (row) => (parts === 'users' ? row.user.name : row.token.name) || idOf(row) },
    { name: 'Tags', of: ({ token, group }) => JSON.stringify({ token: token.name, group }) },
  ]
}
