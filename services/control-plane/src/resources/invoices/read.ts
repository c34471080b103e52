import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import {
  MAX_INVOICE_CHARACTERS,
  MAX_INVOICE_DAYS,
  type InvoiceFile,
  type InvoiceMapping,
  type InvoicePreview,
  type InvoiceVendor,
} from '@tollgate/contracts/resources/vendor-invoices'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { listInvoiceMappings } from '@tollgate/db/queries/invoices/vendor-invoices'
import { mappingKey } from '@tollgate/domain/vendor-invoices/guess-mapping'
import { addBilled, NOTHING_BILLED, toInvoiceSums, type Billed } from '@tollgate/domain/vendor-invoices/invoice-sums'
import { readInvoice, type ReadInvoice } from '@tollgate/domain/vendor-invoices/read-invoice'
import type { Deps } from '../../deps.ts'

const SHOWN_PROBLEMS = 100
const SAMPLE_ROWS = 5
const SHOWN_NAMES = 200

type Input = { readonly vendor: InvoiceVendor; readonly time_zone: string; readonly files: readonly InvoiceFile[] }

export const columnsHash = (columns: readonly string[]): string => createHash('sha256').update(mappingKey(columns)).digest('hex')

/** Reads the files, those without a mapping by the one that was used last for their columns. */
export async function readFiles(
  { db }: Pick<Deps, 'db'>,
  { vendor, time_zone, files }: Input,
): Promise<ReadInvoice & { readonly remembered: ReadonlySet<string> }> {
  const length = files.reduce((sum, { text }) => sum + text.length, 0)
  if (length > MAX_INVOICE_CHARACTERS) throw tooLarge()
  const plain = readInvoice(files, { time_zone })
  const hashes = plain.files.map(({ records }) => columnsHash(records.columns))
  const remembered = await listInvoiceMappings(db, { vendor, hashes })
  const isNeeded = files.some((file, nth) => file.mapping === undefined && remembered.has(hashes[nth] ?? ''))
  const mappingOf = (columns: readonly string[]): InvoiceMapping | undefined => remembered.get(columnsHash(columns))
  const read = isNeeded ? readInvoice(files, { time_zone, remembered: mappingOf }) : plain
  return { ...read, remembered: new Set(remembered.keys()) }
}

export const tooLarge = (): AppError => new AppError('invoice.too-large', { characters: MAX_INVOICE_CHARACTERS, days: MAX_INVOICE_DAYS })

/** The first and last day of the lines; both empty if there are none. */
export function daysOf({ lines }: Pick<ReadInvoice, 'lines'>): { readonly first_day: string; readonly last_day: string } {
  return { first_day: lines[0]?.day ?? '', last_day: lines.at(-1)?.day ?? '' }
}

/** Days from one to another, both included. */
export const dayCount = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / (DAY_SECONDS * 1000)) + 1

/** Columns, totals and problems of the files. Nothing is stored. */
export async function previewFiles(deps: Deps, input: Input): Promise<InvoicePreview> {
  const { files, problems, lines, rows, remembered } = await readFiles(deps, input)
  return {
    files: files.map(({ name, records, mapping, rows: own }, nth) => ({
      name,
      columns: [...records.columns],
      sample: records.records.slice(0, SAMPLE_ROWS).map(({ cells }) => records.columns.map((column) => cells.get(column) ?? '')),
      mapping,
      is_remembered: input.files[nth]?.mapping === undefined && remembered.has(columnsHash(records.columns)),
      rows: own,
    })),
    problems: problems.slice(0, SHOWN_PROBLEMS),
    problem_count: problems.length,
    rows,
    ...daysOf({ lines }),
    models: [...new Set(lines.map(({ model }) => model))].toSorted().slice(0, SHOWN_NAMES),
    accounts: [...new Set(lines.map(({ account }) => account))].toSorted().slice(0, SHOWN_NAMES),
    total: toInvoiceSums(lines.reduce<Billed>(addBilled, NOTHING_BILLED)),
  }
}
