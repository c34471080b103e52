import { importCodeText } from '@tollgate/contracts/moving-in/texts'
import { isSamePrice, type ImportItem, type ImportReport } from '@tollgate/contracts/moving-in/report'

const SHOWN = 5

/** The report in the terminal: counts, sums, and the first rows of each code. */
export function summaryOf(report: ImportReport): string {
  const { family, generation, store, is_dry_run, counts, sums, samples, is_complete } = report
  const rows = Object.entries(counts).flatMap(([kind, count]) =>
    count.read === 0 ? [] : [`  ${kind.padEnd(14)}${COLUMNS.map((column) => `${String(count[column]).padStart(9)}`).join('')}`],
  )
  const equal = samples.filter((sample) => isSamePrice(sample, family)).length
  return [
    `${family} ${generation} in ${store}${is_dry_run ? ', dry run: nothing was written' : ''}`,
    `  ${''.padEnd(14)}${COLUMNS.map((column) => column.padStart(9)).join('')}`,
    ...rows,
    ...sums.map(({ name, source, target }) => `  ${name}: ${source} there, ${target} here${source === target ? '' : '  DIFFERENT'}`),
    ...(samples.length === 0
      ? []
      : [`  ${equal} of ${samples.length} requests of its log and at the bounds of its prices cost the same here`]),
    ...partOf('not carried', report.refused),
    ...partOf('to decide', report.decisions),
    ...partOf('carried in another form', report.changed),
    is_complete ? 'everything is carried' : 'not everything is carried: see above, and --report FILE for all rows',
    '',
  ].join('\n')
}

const COLUMNS = ['read', 'created', 'updated', 'same', 'skipped', 'refused'] as const

function partOf(title: string, items: readonly ImportItem[]): string[] {
  if (items.length === 0) return []
  const groups = [...Map.groupBy(items, ({ kind, code }) => `${kind} ${code}`)]
  return [
    `${title}:`,
    ...groups.flatMap(([name, rows]) => {
      const shown = rows.slice(0, SHOWN).map(({ at, detail }) => (detail === '' ? at : `${at} (${detail})`))
      const code = rows[0]?.code ?? ''
      const text = importCodeText(code, 'en')
      const line = `  ${name}, ${rows.length}: ${shown.join('; ')}${rows.length > SHOWN ? '; …' : ''}`
      return text === code ? [line] : [line, `    ${text}`]
    }),
  ]
}
