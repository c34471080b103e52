import {
  MAX_INVOICE_ROWS,
  type InvoiceField,
  type InvoiceMapping,
  type InvoiceProblem,
} from '@tollgate/contracts/resources/vendor-invoices'
import { Decimal } from '../pricing/decimal.ts'
import { billedModel, modelOfItem, tokensOfItem } from './billed-model.ts'
import { dayOfText } from './days.ts'
import { InvoiceTally, type BilledLine } from './invoice-sums.ts'
import { readRecords, type InvoiceRecord, type LineProblem, type Records } from './read-records.ts'
import { guessMapping } from './guess-mapping.ts'

export type ReadFile = {
  readonly name: string
  readonly records: Records
  readonly mapping: InvoiceMapping
  readonly rows: number
}
export type ReadInvoice = {
  readonly files: readonly ReadFile[]
  readonly problems: readonly InvoiceProblem[]
  readonly lines: readonly BilledLine[]
  readonly rows: number
}

type Input = { readonly name: string; readonly text: string; readonly mapping?: InvoiceMapping | undefined }
type Options = { readonly time_zone: string; readonly remembered?: (columns: readonly string[]) => InvoiceMapping | undefined }

/** Reads the files of an invoice and adds up their rows by account, model and day. Nothing counts if there is a problem. */
export function readInvoice(inputs: readonly Input[], { time_zone, remembered }: Options): ReadInvoice {
  const tally = new InvoiceTally()
  const problems: InvoiceProblem[] = []
  const files = inputs.map(({ name, text, mapping: given }): ReadFile => {
    const add = (problem: LineProblem): void => void problems.push({ file: name, ...problem, text: problem.text.slice(0, 100) })
    const records = readRecords(text.toWellFormed().replaceAll('\0', ''))
    records.problems.forEach(add)
    const mapping = given ?? remembered?.(records.columns) ?? guessMapping(records.columns)
    const missing = records.records.length === 0 ? [] : missingColumns(mapping, records.columns)
    for (const column of missing) add({ line: 0, reason: 'columns', text: column })
    if (missing.length > 0) return { name, records, mapping, rows: 0 }
    let rows = 0
    for (const record of records.records) {
      const read = readRow(record, { mapping, time_zone })
      if ('reason' in read) add(read)
      else {
        tally.add(read)
        rows += 1
      }
    }
    return { name, records, mapping, rows }
  })
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  if (rows > MAX_INVOICE_ROWS) problems.push({ file: '', line: 0, reason: 'too-many', text: String(rows) })
  return { files, problems, lines: tally.lines(), rows }
}

/** A day and an amount of some kind are needed, and each mapped column must exist. */
function missingColumns({ columns }: InvoiceMapping, names: readonly string[]): string[] {
  const absent = Object.values(columns)
    .flat()
    .filter((name) => !names.includes(name))
  const needed = (...fields: InvoiceField[]): boolean => fields.some((field) => columns[field].length > 0)
  return [
    ...(names.length > 0 && absent.length === Object.values(columns).flat().length && absent.length > 0 ? absent : []),
    ...(needed('day') ? [] : ['day']),
    ...(needed('model', 'item') ? [] : ['model']),
    ...(needed('input', 'output', 'quantity', 'dollars', 'requests') ? [] : ['dollars']),
  ]
}

type Reading = { readonly mapping: InvoiceMapping; readonly time_zone: string }

/** A row by the mapping, or why it cannot be read. */
export function readRow({ line, cells }: InvoiceRecord, { mapping, time_zone }: Reading): BilledLine | LineProblem {
  const { columns, has_cached_in_input, amount_unit } = mapping
  const textOf = (field: InvoiceField): string => columns[field].map((name) => cells.get(name) ?? '').find((text) => text !== '') ?? ''
  const day = dayOfText(textOf('day'), time_zone)
  if (day === undefined) return { line, reason: 'day', text: textOf('day') }
  const currency = textOf('currency')
  if (!/^(usd|\$)?$/i.test(currency)) return { line, reason: 'currency', text: currency }
  const [named, item] = [textOf('model'), textOf('item')]
  if (named === '' && item === '') return { line, reason: 'model', text: '' }
  let bad: string | undefined
  const sum = (field: InvoiceField, parse: (text: string) => Decimal | undefined): Decimal | undefined => {
    const parts = columns[field].flatMap((name) => cells.get(name) || [])
    return parts.reduce<Decimal | undefined>((total, text) => {
      const value = parse(text)
      if (value === undefined) bad ??= text
      return value === undefined ? total : (total ?? Decimal.zero).plus(value)
    }, undefined)
  }
  const count = (field: InvoiceField): number | undefined => sum(field, parseCount)?.round()
  const tokens = columns.quantity.length > 0 ? tokensByItem(item, count('quantity')) : countedTokens(count, has_cached_in_input)
  const requests = count('requests') ?? null
  const amount = sum('dollars', parseAmount)
  if (bad !== undefined) return { line, reason: 'number', text: bad }
  const dollars = amount === undefined ? null : amount_unit === 'cent' ? amount.times(CENT) : amount
  return { account: textOf('account'), model: named === '' ? modelOfItem(item) : billedModel(named), day, requests, ...tokens, dollars }
}

const CENT = Decimal.parse('0.01')
type Tokens = Pick<BilledLine, 'input' | 'cached' | 'output'>

/** The input with cached tokens, whatever the vendor's columns include. */
function countedTokens(count: (field: InvoiceField) => number | undefined, hasCachedInInput: boolean): Tokens {
  const [input, cached, written, output] = [count('input'), count('cached'), count('cache_write'), count('output')]
  if (input === undefined && cached === undefined && output === undefined) return { input: null, cached: null, output: null }
  const all = (input ?? 0) + (hasCachedInInput ? 0 : (cached ?? 0) + (written ?? 0))
  return { input: all, cached: cached ?? null, output: output ?? 0 }
}

function tokensByItem(item: string, quantity = 0): Tokens {
  const kind = tokensOfItem(item)
  if (kind === undefined) return { input: null, cached: null, output: null }
  return { input: kind === 'output' ? 0 : quantity, cached: kind === 'cached' ? quantity : 0, output: kind === 'output' ? quantity : 0 }
}

/** A number as people and programs write it: `$1,234.50`, `.5`, `1e-7`. */
function parseAmount(text: string): Decimal | undefined {
  const plain = text.replace(/^\(?([+-]?)\$\s*/, '$1').replaceAll(/,(?=\d{3}(?:\D|$))/g, '')
  const full = plain
    .replace(/^([+-]?)\./, '$10.')
    .replace(/^([+-]?\d+)\.$/, '$1')
    .toLowerCase()
  if (!/^[+-]?\d{1,18}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?$/.test(full)) return undefined
  return Decimal.parse(full)
}

function parseCount(text: string): Decimal | undefined {
  const value = parseAmount(text)
  const isWhole = value !== undefined && !value.toString().includes('.') && !Decimal.zero.isGreaterThan(value)
  return isWhole && !value.isGreaterThan(MAX_COUNT) ? value : undefined
}

/** Sums of 50 000 such numbers are safe integers. */
const MAX_COUNT = Decimal.of(100_000_000_000)
