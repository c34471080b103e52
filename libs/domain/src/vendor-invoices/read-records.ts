import { MAX_INVOICE_ROWS, type InvoiceProblem } from '@tollgate/contracts/resources/vendor-invoices'
import { isDeeperThan } from '@tollgate/contracts/values/json-depth'
import { readTextTable } from '../text-table.ts'

type Reason = InvoiceProblem['reason']
export type LineProblem = { readonly line: number; readonly reason: Reason; readonly text: string }

/** A row of an invoice before it is understood: cells by column. */
export type InvoiceRecord = { readonly line: number; readonly cells: ReadonlyMap<string, string> }
export type Records = {
  readonly columns: readonly string[]
  readonly records: readonly InvoiceRecord[]
  readonly problems: readonly LineProblem[]
}

/** Columns of a table or fields of a record, and objects within each other. Reports of vendors have some 40 and three. */
const MAX_COLUMNS = 200
const MAX_DEPTH = 10
/** Lines that are no JSON: after these the file is something else. */
const MAX_LINES = 100

/** The rows of a CSV file, of JSON as the vendors' APIs answer, or of JSON lines. */
export function readRecords(text: string): Records {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (start === '') return { columns: [], records: [], problems: [{ line: 0, reason: 'empty', text: '' }] }
  return start.startsWith('{') || start.startsWith('[') ? readJson(start) : readCsv(text)
}

function readCsv(text: string): Records {
  const { rows, broken_line } = readTextTable(text)
  const [header, ...lines] = rows
  if (broken_line !== undefined) return { columns: [], records: [], problems: [{ line: broken_line, reason: 'quotes', text: '' }] }
  if (header === undefined) return { columns: [], records: [], problems: [{ line: 0, reason: 'empty', text: '' }] }
  const columns = header.cells.map((name) => name.trim())
  if (columns.length > MAX_COLUMNS) return refused(tooWide(header.line, columns.length))
  const problems: LineProblem[] = []
  const records = lines.flatMap(({ line, cells }): InvoiceRecord[] => {
    if (cells.length > columns.length || (cells.length < columns.length && cells.length < 2)) {
      problems.push({ line, reason: 'cells', text: cells.join(' ') })
      return []
    }
    return [{ line, cells: new Map(cells.map((cell, at) => [columns[at] ?? '', cell.trim()])) }]
  })
  return { columns: columns.filter((name) => name !== ''), records, problems }
}

/** Numbers keep the text that they have in the file, because a double has too few digits for some amounts. */
function parseExact(text: string): unknown {
  return JSON.parse(text, function keepSource(_key, value: unknown, context?: { readonly source?: string }) {
    return typeof value === 'number' ? (context?.source ?? String(value)) : value
  } as (key: string, value: unknown) => unknown)
}

function readJson(text: string): Records {
  const problems: LineProblem[] = []
  const records: InvoiceRecord[] = []
  const columns = new Set<string>()
  for (const { line, value } of jsonValues(text, problems)) {
    if (isDeeperThan(value, MAX_DEPTH)) return refused({ line, reason: 'json', text })
    for (const cells of flatRecords(value)) {
      for (const name of cells.keys()) columns.add(name)
      const nth = records.push({ line: line === 0 ? records.length + 1 : line, cells })
      if (columns.size > MAX_COLUMNS) return refused(tooWide(nth, columns.size))
      if (nth > MAX_INVOICE_ROWS) return refused({ line: nth, reason: 'too-many', text: String(nth) })
    }
  }
  return { columns: [...columns], records, problems }
}

const refused = (problem: LineProblem): Records => ({ columns: [], records: [], problems: [problem] })
const tooWide = (line: number, columns: number): LineProblem => ({ line, reason: 'cells', text: `${columns}` })

type Value = { /** 0: the whole text is one value. */ readonly line: number; readonly value: unknown }

function jsonValues(text: string, problems: LineProblem[]): Value[] {
  try {
    return [{ line: 0, value: parseExact(text) }]
  } catch {
    const lines = text.split('\n').map((one, at) => ({ line: at + 1, one }))
    return lines.flatMap(({ line, one }) => {
      if (one.trim() === '' || problems.length === MAX_LINES) return []
      try {
        return [{ line, value: parseExact(one) }]
      } catch {
        problems.push({ line, reason: 'json', text: one.trim() })
        return []
      }
    })
  }
}

type JsonObject = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists and pages of lists, and the results of each bucket of time with the fields of the bucket. */
function* flatRecords(value: unknown): Generator<Map<string, string>> {
  if (Array.isArray(value)) for (const one of value) yield* flatRecords(one)
  if (!isObject(value)) return
  const { data, results, ...fields } = value
  if (Array.isArray(data)) yield* flatRecords(data)
  else if (Array.isArray(results)) {
    const shared = cellsOf(fields)
    for (const own of flatRecords(results)) yield new Map([...shared, ...own])
  } else yield cellsOf(value)
}

/** Fields of inner objects have the names of both, with a dot. */
function cellsOf(value: JsonObject, path = ''): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [name, one] of Object.entries(value)) {
    if (isObject(one)) for (const [inner, text] of cellsOf(one, `${path}${name}.`)) cells.set(inner, text)
    else if (typeof one === 'string' || typeof one === 'boolean') cells.set(path + name, String(one))
  }
  return cells
}
