import { readJson, type JsonFault } from '../../ui/form/json-text.ts'

/** The columns of a price list: US dollars per million tokens, or per call. */
export const IMPORT_COLUMNS = ['input', 'output', 'cached', 'cache_write', 'image', 'audio', 'per_call'] as const
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]
export type ListedRow = { readonly name: string; readonly line: number } & { readonly [Column in ImportColumn]?: number }

export type ImportProblem = { readonly line: number } & (
  | { readonly kind: 'empty' | 'no-header' | 'no-model' | 'no-price' | 'shape' | 'both' | 'per-token' }
  | { readonly kind: 'number'; readonly column: string; readonly value: string }
  | { readonly kind: 'column' | 'twice'; readonly name: string }
  | { readonly kind: 'json'; readonly column: number; readonly fault: JsonFault }
)
export type PriceList = { readonly rows: readonly ListedRow[]; readonly problems: readonly ImportProblem[] }

const ALIASES: Readonly<Record<string, ImportColumn | 'model'>> = {
  model: 'model',
  name: 'model',
  model_name: 'model',
  input: 'input',
  prompt: 'input',
  input_price: 'input',
  output: 'output',
  completion: 'output',
  output_price: 'output',
  cached: 'cached',
  cache: 'cached',
  cache_read: 'cached',
  cached_input: 'cached',
  cache_write: 'cache_write',
  cache_creation: 'cache_write',
  image: 'image',
  image_input: 'image',
  audio: 'audio',
  audio_input: 'audio',
  per_call: 'per_call',
  call: 'per_call',
  price: 'per_call',
}

/** Reads a pasted or chosen price list: JSON if it begins like that, else lines of values under a header. */
export function readPriceList(text: string): PriceList {
  if (text.trim() === '') return { rows: [], problems: [{ kind: 'empty', line: 1 }] }
  const read = /^\s*[[{]/.test(text) ? readJsonList(text) : readLines(text)
  const seen = new Set<string>()
  const twice = read.rows.flatMap(({ name, line }): ImportProblem[] => {
    if (seen.has(name)) return [{ kind: 'twice', line, name }]
    seen.add(name)
    return []
  })
  return { rows: read.rows, problems: [...read.problems, ...twice].toSorted((a, b) => a.line - b.line) }
}

type Cells = { readonly line: number; readonly cells: readonly (readonly [column: string, value: unknown])[] }

function rowOf({ line, cells }: Cells): { readonly row?: ListedRow; readonly problems: readonly ImportProblem[] } {
  const problems: ImportProblem[] = []
  const prices: Partial<Record<ImportColumn, number>> = {}
  // Where a list has both, the model is what a request names, and the name is a title.
  const namings = cells.filter(([column]) => columnOf(column) === 'model')
  const [, given] = namings.find(([column]) => /model|^id$/i.test(column.trim())) ?? namings[0] ?? []
  const name = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
  for (const [column, value] of cells) {
    const known = columnOf(column)
    if (known !== undefined && known !== 'model' && isPerToken(column, value)) return { problems: [{ kind: 'per-token', line }] }
    if (known !== undefined && known !== 'model' && !isBlank(value)) {
      const price = priceOf(value)
      if (price === undefined) problems.push({ kind: 'number', line, column, value: String(value) })
      else prices[known] = price
    }
  }
  if (name === '') problems.push({ kind: 'no-model', line })
  else if (problems.length === 0 && Object.keys(prices).length === 0) problems.push({ kind: 'no-price', line })
  else if (prices.per_call !== undefined && Object.keys(prices).length > 1) problems.push({ kind: 'both', line })
  return problems.length === 0 ? { row: { name, line, ...prices }, problems } : { problems }
}

const columnOf = (name: string): ImportColumn | 'model' | undefined => {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/\s*\(.*\)$/, '')
    .replaceAll(/[\s-]+/g, '_')
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined
}

/** `prompt` and `completion` are OpenRouter's columns of dollars per token, which are far below a price of a million. */
function isPerToken(column: string, value: unknown): boolean {
  const price = priceOf(value)
  return /^(prompt|completion)$/i.test(column.trim()) && price !== undefined && price > 0 && price < 0.001
}

const isBlank = (value: unknown): boolean => value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

/** A price as people write it: with a dollar sign, or with commas between thousands. */
function priceOf(value: unknown): number | undefined {
  const text = String(value).trim().replace(/^\$/, '')
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  const price = Number(plain)
  return plain !== '' && Number.isFinite(price) && price >= 0 && price <= 1_000_000 ? price : undefined
}

function collect(all: readonly Cells[]): PriceList {
  const read = all.map(rowOf)
  return { rows: read.flatMap(({ row }) => row ?? []), problems: read.flatMap(({ problems }) => problems) }
}

function readJsonList(text: string): PriceList {
  const reading = readJson(text)
  if (reading.kind === 'problem') {
    const { line, column, fault } = reading.problem
    return { rows: [], problems: [{ kind: 'json', line, column, fault }] }
  }
  const entries = Array.isArray(reading.value)
    ? reading.value.map((value: unknown) => ['', value] as const)
    : Object.entries(reading.value as object) // it begins with a brace
  let from = 0
  const cells = entries.map(([name, value]): Cells | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const own = Object.entries(value)
    const named = name === '' ? own : [['model', name] as const, ...own]
    const given: unknown = named.find(([column]) => columnOf(column) === 'model')?.[1]
    const model = typeof given === 'string' ? given : ''
    const at = text.indexOf(JSON.stringify(model), from)
    if (at !== -1) from = at + 1
    return { line: lineAt(text, at === -1 ? from : at), cells: named }
  })
  const shapes = cells.flatMap((one): ImportProblem[] => (one === undefined ? [{ kind: 'shape', line: lineAt(text, from) }] : []))
  const { rows, problems } = collect(cells.flatMap((one) => one ?? []))
  return { rows, problems: [...problems, ...shapes] }
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

function readLines(text: string): PriceList {
  const lines = splitLines(text)
  const [head, ...rest] = lines
  const names = head?.cells ?? []
  if (!names.some((name) => columnOf(name) === 'model')) return { rows: [], problems: [{ kind: 'no-header', line: head?.line ?? 1 }] }
  const unknown = names.flatMap((name): ImportProblem[] =>
    name.trim() === '' || columnOf(name) !== undefined ? [] : [{ kind: 'column', line: head?.line ?? 1, name }],
  )
  const { rows, problems } = collect(
    rest.map(({ line, cells }) => ({ line, cells: cells.map((value, index) => [names[index] ?? '', value] as const) })),
  )
  return { rows, problems: [...unknown, ...problems] }
}

type Line = { readonly line: number; readonly cells: readonly string[] }

/** Lines of a table whose cells are apart by comma, semicolon or tab, whichever its first line has most of; quoted cells may hold all of them. */
function splitLines(text: string): readonly Line[] {
  const first = text.trimStart().split('\n')[0] ?? ''
  const [comma = ','] = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)
  const lines: { line: number; cells: string[] }[] = []
  let current = { line: 1, cells: [''] }
  let isQuoted = false
  let line = 1
  const end = (): void => {
    if (current.cells.some((cell) => cell.trim() !== '')) lines.push(current)
  }
  let previous = ''
  for (const letter of text) {
    const last = current.cells.length - 1
    if (letter === '\n') line += 1
    if (letter === '"') {
      // A doubled quote inside quotes closes them and opens them again.
      if (!isQuoted && previous === '"') current.cells[last] += '"'
      isQuoted = !isQuoted
    } else if (letter === comma && !isQuoted) current.cells.push('')
    else if (letter === '\n' && !isQuoted) {
      end()
      current = { line, cells: [''] }
    } else if (letter !== '\r') current.cells[last] += letter
    previous = letter
  }
  end()
  return lines
}
