import Papa from 'papaparse'

/** A line of a table with the number of the line of text that it begins on. */
export type TextRow = { readonly line: number; readonly cells: readonly string[] }
export type TextTable = {
  readonly rows: readonly TextRow[]
  /** The line on which a quoted cell is not closed or goes on after its quote; undefined: none. */
  readonly broken_line: number | undefined
}

const BYTE_ORDER_MARK = '\uFEFF'

/** The lines of a CSV file that are not empty; the delimiter is found by the first lines. */
export function readTextTable(text: string): TextTable {
  const input = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  const rows: TextRow[] = []
  let broken: number | undefined
  let [line, read] = [1, 0]
  Papa.parse<string[]>(input, {
    delimitersToGuess: [',', ';', '\t', '|'],
    step: ({ data, errors, meta }) => {
      if (errors.some(({ type }) => type === 'Quotes')) broken ??= line
      if (data.some((cell) => cell.trim() !== '')) rows.push({ line, cells: data })
      line += newlinesIn(input, read, meta.cursor)
      read = meta.cursor
    },
  })
  return { rows, broken_line: broken }
}

function newlinesIn(text: string, from: number, until: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < until; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
