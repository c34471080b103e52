import { textOf } from '@tollgate/contracts/app-error'
import { errors, type ErrorCode } from '@tollgate/contracts/errors'
import { isSamePrice, type ImportItem, type ImportReport } from '@tollgate/contracts/moving-in/report'
import { SHOWN_ITEMS, type ImportReason, type ShownReport } from '@tollgate/contracts/resources/imports'

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errors, text)

/** Which rule of this gateway a channel or a setting does not fit, in words: the report has its code. */
export function withRuleInWords(item: ImportItem, language: 'zh' | 'en'): ImportItem {
  if ((item.code !== 'channel' && item.code !== 'option') || !isErrorCode(item.detail)) return item
  return { ...item, detail: textOf(item.detail, language, item.params) }
}

/** The report as the page shows it: some rows of each reason. The files have all that the report lists. */
export function shownReport({ refused, changed, decisions, more, samples, ...report }: ImportReport, language: 'zh' | 'en'): ShownReport {
  const reasons = (list: string, items: readonly ImportItem[]): ImportReason[] =>
    [...Map.groupBy(items, ({ code }) => code)].map(([code, rows]) => ({
      code,
      count: rows.length + (more[`${list} ${code}`] ?? 0),
      // Each setting has a box.
      items: (code === 'setting-replaced' || code === 'setting-kept' ? rows : rows.slice(0, SHOWN_ITEMS)).map((item) =>
        withRuleInWords(item, language),
      ),
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
