import { isSamePrice, type ImportItem, type ImportReport } from '@tollgate/contracts/moving-in/report'
import { SHOWN_ITEMS, type ImportReason, type ShownReport } from '@tollgate/contracts/resources/imports'

/** The report as the page shows it: some rows of each reason. The files have all that the report lists. */
export function shownReport({ refused, changed, decisions, more, samples, ...report }: ImportReport): ShownReport {
  const reasons = (list: string, items: readonly ImportItem[]): ImportReason[] =>
    [...Map.groupBy(items, ({ code }) => code)].map(([code, rows]) => ({
      code,
      count: rows.length + (more[`${list} ${code}`] ?? 0),
      // Each setting has a box.
      items: code === 'setting-replaced' || code === 'setting-kept' ? rows : rows.slice(0, SHOWN_ITEMS),
    }))
  const different = samples.filter((sample) => !isSamePrice(sample, report.family))
  return {
    ...report,
    refused: reasons('refused', refused),
    changed: reasons('changed', changed),
    decisions: reasons('decisions', decisions),
    samples: { compared: samples.length, equal: samples.length - different.length, different: different.slice(0, SHOWN_ITEMS) },
  }
}
