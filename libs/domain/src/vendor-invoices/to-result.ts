import type { InvoiceCause, InvoiceLine, InvoiceResult } from '@tollgate/contracts/resources/vendor-invoices'
import { Decimal } from '../pricing/decimal.ts'
import type { ComparedLine } from './compare.ts'
import { addBilled, NOTHING_BILLED, toInvoiceSums, type Billed } from './invoice-sums.ts'

/** The totals of a comparison, and its lines: those that differ first, the largest amount at the top. */
export function toResult(
  compared: readonly ComparedLine[],
  { logs_from }: Pick<InvoiceResult, 'logs_from'>,
): { readonly result: InvoiceResult; readonly lines: readonly InvoiceLine[] } {
  const lines = compared.toSorted(byWeight).map(({ over: _over, ...line }, n) => ({ n, ...line }))
  const vendor = compared.reduce<Billed>(
    (sum, line) => (line.vendor === null ? sum : addBilled(sum, billedOf(line.vendor))),
    NOTHING_BILLED,
  )
  const own = { requests: 0, input: 0, cached: 0, output: 0, dollars: Decimal.zero, charged: Decimal.zero }
  for (const { own: line } of compared) {
    if (line === null) continue
    own.requests += line.requests
    own.input += line.input
    own.cached += line.cached
    own.output += line.output
    own.dollars = own.dollars.plus(Decimal.parse(line.dollars))
    own.charged = own.charged.plus(Decimal.parse(line.charged))
  }
  const result = {
    vendor: toInvoiceSums(vendor),
    own: { ...own, dollars: own.dollars.toString(), charged: own.charged.toString() },
    margin: vendor.dollars === null ? null : own.charged.minus(vendor.dollars).toString(),
    lines: lines.length,
    differing: lines.filter(({ differs }) => differs).length,
    causes: causeSums(compared),
    logs_from,
  }
  return { result, lines }
}

const billedOf = ({ dollars, ...counts }: NonNullable<InvoiceLine['vendor']>): Billed => ({
  ...counts,
  dollars: dollars === null ? null : Decimal.parse(dollars),
})

/** The amount of a line counts for its first cause. */
function causeSums(compared: readonly ComparedLine[]): InvoiceResult['causes'] {
  const sums = new Map<InvoiceCause['kind'], { lines: number; dollars: Decimal }>()
  for (const { causes, over } of compared)
    causes.forEach(({ kind }, nth) => {
      const sum = sums.get(kind) ?? { lines: 0, dollars: Decimal.zero }
      sums.set(kind, { lines: sum.lines + 1, dollars: nth === 0 ? sum.dollars.plus(over) : sum.dollars })
    })
  return [...sums]
    .map(([kind, { lines, dollars }]) => ({ kind, lines, dollars: dollars.toString() }))
    .toSorted((a, b) => weightOf(b.dollars) - weightOf(a.dollars) || b.lines - a.lines)
}

const weightOf = (dollars: string): number => Math.abs(Number(dollars))

function byWeight(a: ComparedLine, b: ComparedLine): number {
  if (a.differs !== b.differs) return a.differs ? -1 : 1
  const most = Math.abs(b.over.toNumber()) - Math.abs(a.over.toNumber())
  return most !== 0 ? most : tokensOf(b) - tokensOf(a) || (a.day < b.day ? -1 : 1)
}

const tokensOf = ({ vendor, own }: ComparedLine): number =>
  Math.abs((vendor?.input ?? 0) + (vendor?.output ?? 0) - (own?.input ?? 0) - (own?.output ?? 0))
