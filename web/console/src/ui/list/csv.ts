import type { Column } from './table-columns.ts'

/** The columns of a list that have a text, as CSV. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ header, text }) => (text === undefined ? [] : [{ header, text }]))
  const lines = rows.map((row) => written.map(({ text }) => cell(text(row))))
  return [written.map(({ header }) => cell(header)), ...lines].map((line) => line.join(',')).join('\r\n')
}

/** Spreadsheets run what begins like a formula: such a text gets an apostrophe, which they do not show. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Saves a table as a file. The mark at its start tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, csv: string): void {
  save(`${name}.csv`, ['\uFEFF', csv], 'text/csv;charset=utf-8')
}

/** Saves lines of text as a file. */
export function saveText(name: string, text: string): void {
  save(`${name}.txt`, [text], 'text/plain;charset=utf-8')
}

/** Saves what the server sent as a file. */
export function saveFile(name: string, file: Blob): void {
  save(name, [file], file.type)
}

function save(name: string, parts: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
