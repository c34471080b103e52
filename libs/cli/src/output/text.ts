import { styleText, stripVTControlCharacters } from 'node:util'

/** Names come from users: control characters would reach the terminal. */
// eslint-disable-next-line no-control-regex
export const clean = (text: string): string => stripVTControlCharacters(text).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** Bold on a terminal with colours, as NO_COLOR and FORCE_COLOR say; plain elsewhere. */
export const bold = (text: string): string => styleText('bold', text, { stream: process.stdout })

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu

const widthOf = (text: string): number => [...text].length + (text.match(WIDE)?.length ?? 0)

/** Columns under bold headings, two spaces apart. */
export function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(clean))
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((row) => widthOf(row[at] ?? ''))))
  const line = (row: readonly string[], style: (text: string) => string): string =>
    row
      .map((text, at) => style(text) + (at === row.length - 1 ? '' : ' '.repeat((widths[at] ?? 0) - widthOf(text) + 2)))
      .join('')
      .trimEnd()
  return [line(heads, bold), ...cells.map((row) => line(row, (text) => text))].join('\n')
}

/** Names and values, one pair a line. */
export function renderPairs(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2
  return pairs.map(([name, value]) => `${bold(name)}${' '.repeat(width - name.length)}${clean(value)}`.trimEnd()).join('\n')
}

/** A time in UTC; 0 and below stand for none. */
export const timeOf = (seconds: number): string =>
  seconds > 0 ? new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19) : '–'

/** Quota as dollars, with as many digits as a small charge needs. */
export function dollarsOf(quota: number, quotaPerUnit: number): string {
  const dollars = quota / quotaPerUnit
  const digits = dollars === 0 || Math.abs(dollars) >= 1 ? 2 : 6
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(digits)}`
}
