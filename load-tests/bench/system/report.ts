import { median } from '../rows.ts'
import { medianRatio } from './compare.ts'
import { PARTS, type Part } from './installation.ts'
import { sumOf, type Cost, type Load } from './loads.ts'

/** Costs of one load in each round, of this checkout and of the earlier one. */
export type Measured = { readonly load: Load; readonly costs: readonly Cost[]; readonly earlier: readonly Cost[] }

/** Resident memory by process, in bytes. */
export type Resident = { readonly before: Memory; readonly after: Memory; readonly rested: Memory }
type Memory = Readonly<Record<string, number>>
export type Results = {
  readonly measured: readonly Measured[]
  /** The memory of each checkout, under its name. */
  readonly memory: ReadonlyMap<string, Resident>
}

type Column = { readonly title: string; readonly of: (cost: Cost) => number }

const COLUMNS: readonly Column[] = [
  { title: 'sum', of: ({ cpu }) => sumOf(cpu) },
  ...PARTS.map((part: Part): Column => ({ title: part, of: ({ cpu }) => cpu[part] })),
  { title: 'p50', of: ({ p50 }) => p50 },
  { title: 'p99', of: ({ p99 }) => p99 },
]

/** Markdown tables, for a terminal and for the page. */
export function toTables({ measured, memory }: Results): string {
  const hasEarlier = measured.some(({ earlier }) => earlier.length > 0)
  return [
    'CPU per request in µs, latency in µs, medians:',
    '',
    ...table(measured, ({ costs }, of) => median(costs.map(of)).toFixed(0)),
    ...(hasEarlier ? ['', 'The earlier checkout:', '', ...table(measured, ({ earlier }, of) => median(earlier.map(of)).toFixed(0))] : []),
    ...(hasEarlier ? ['', 'This checkout ÷ the earlier one, median of the rounds:', '', ...table(measured, ratioOf)] : []),
    '',
    'Resident memory in MB:',
    '',
    ...memoryTable(memory),
    '',
  ].join('\n')
}

function table(measured: readonly Measured[], cell: (row: Measured, of: Column['of']) => string): string[] {
  return [
    `| Load | requests/s | ${COLUMNS.map(({ title }) => title).join(' | ')} |`,
    `|---|--:|${COLUMNS.map(() => '--:|').join('')}`,
    ...measured.map((row) => {
      const cells = [({ perSecond }: Cost) => perSecond, ...COLUMNS.map(({ of }) => of)].map((of) => cell(row, of))
      return `| ${row.load.title} | ${cells.join(' | ')} |`
    }),
  ]
}

const ratioOf = ({ costs, earlier }: Measured, of: Column['of']): string => medianRatio(costs, earlier, of).toFixed(2)

function memoryTable(memory: Results['memory']): string[] {
  const names = [...memory.keys()]
  const processes = Object.keys([...memory.values()][0]?.before ?? {})
  const cells = (one: string): string[] =>
    [...memory.values()].flatMap(({ before, after, rested }) => [before, after, rested].map((found) => mb(found[one] ?? Number.NaN)))
  return [
    `| Process | ${names.flatMap((name) => [`${name}, before`, 'after', 'after a rest']).join(' | ')} |`,
    `|---|${names.map(() => '--:|--:|--:|').join('')}`,
    ...processes.map((one) => `| ${one} | ${cells(one).join(' | ')} |`),
  ]
}

const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0)
