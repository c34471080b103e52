import { CASES, isSame, type Cell, type KnownRed } from './cells.ts'
import { VENDORS } from './vendors.ts'

/** The table of a whole run. */
export function renderClients(cells: readonly Cell[], known: readonly KnownRed[]): string {
  const count = (result: Cell['result']) => cells.filter((cell) => cell.result === result).length
  const red = cells.filter(({ result }) => result === 'red')
  const reasonOf = (cell: Cell) => known.find((one) => isSame(one, cell))?.reason ?? cell.reason ?? ''
  const slugs = VENDORS.map(({ slug, name }) => `\`${slug}\` is ${name}`).join(', ')
  return [
    '# Clients',
    '',
    'Written by `npm run test:clients`; do not edit. Every published client against one relay with a channel per vendor format: ' +
      `${slugs}; an OpenAI channel is called with Responses by clients of Responses, else with Chat Completions. ` +
      'The vendor refuses a request that lost a picture, a schema, a tool result, an earlier turn or a signature. ' +
      '–: the client has no such call, or the vendor no such service and an error answers.',
    '',
    `${count('ok')} ok, ${count('none')} –, ${count('red')} red.`,
    '',
    `| Client | Vendor | ${CASES.join(' | ')} |`,
    `|---|---|${CASES.map(() => '---').join('|')}|`,
    ...rowsOf(cells),
    '',
    '## Red cells',
    '',
    ...(red.length === 0 ? ['None.'] : red.map((cell) => `- ${cell.client}, ${cell.vendor}, ${cell.case}: ${oneLine(reasonOf(cell))}`)),
    '',
  ].join('\n')
}

function rowsOf(cells: readonly Cell[]): string[] {
  const rows = new Map<string, Map<string, Cell>>()
  for (const cell of cells) {
    const key = `| ${cell.client} | ${cell.vendor} `
    rows.set(key, (rows.get(key) ?? new Map<string, Cell>()).set(cell.case, cell))
  }
  return [...rows].map(([key, row]) => `${key}| ${CASES.map((name) => signOf(row.get(name))).join(' | ')} |`)
}

const signOf = (cell: Cell | undefined): string => ({ ok: 'ok', red: '**red**', none: '–' })[cell?.result ?? 'none']
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
