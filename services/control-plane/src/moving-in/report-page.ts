import { IMPORT_KIND_TEXTS, importCodeText, importDetailText } from '@tollgate/contracts/moving-in/texts'
import type { ImportKind } from '@tollgate/contracts/moving-in/records'
import { groupSamples, isSamePrice, type ImportItem, type ImportReport } from '@tollgate/contracts/moving-in/report'
import { exactQuotaText } from '@tollgate/domain/display/quota-text'
import { withRuleInWords } from './shown-report.ts'

type Language = 'zh' | 'en'

const TEXTS = {
  en: {
    title: 'Import report',
    complete: 'Everything is carried, and the sums are equal.',
    incomplete: 'Not everything is carried: see below.',
    dry: 'Dry run: nothing was written.',
    kind: 'Kind',
    read: 'Read',
    created: 'New',
    updated: 'Changed',
    same: 'Same',
    skipped: 'Left out',
    refused: 'Not carried',
    sums: 'Sums',
    sum: { users_quota: 'Balances', users_used: 'Used by accounts', channels_used: 'Used of channels' },
    there: 'There',
    here: 'Here',
    prices: 'Prices',
    model: 'Model',
    from: 'From',
    sources: { source: 'old gateway', log: 'old log', default: 'this gateway', none: 'not for sale' },
    ratio: 'Ratio',
    answer: 'Answer ratio',
    output: 'Answer',
    call: 'Price of a call',
    samples: (equal: number, all: number) =>
      `${equal} of ${all} requests of the old log and at the bounds of its prices cost the same here.`,
    group: 'Group',
    prompt: 'Prompt',
    cached: 'Cached',
    charged: 'Charged',
    formula: 'Formula',
    notCarried: 'Not carried',
    decide: 'To decide',
    changed: 'Carried in another form',
    more: (count: number) => `and ${count} more`,
  },
  zh: {
    title: '导入报告',
    complete: '全部数据已导入，合计一致。',
    incomplete: '部分数据未导入，见下文。',
    dry: '试运行：未写入任何数据。',
    kind: '类别',
    read: '读取',
    created: '新增',
    updated: '更新',
    same: '未变',
    skipped: '略过',
    refused: '未导入',
    sums: '合计',
    sum: { users_quota: '用户余额', users_used: '用户已用', channels_used: '渠道已用' },
    there: '旧系统',
    here: '本系统',
    prices: '价格',
    model: '模型',
    from: '来源',
    sources: { source: '旧系统', log: '旧日志', default: '本系统', none: '没有价格' },
    ratio: '倍率',
    answer: '输出倍率',
    output: '输出',
    call: '按次价格',
    samples: (equal: number, all: number) => `旧日志中及价格分界处的 ${all} 个请求，有 ${equal} 个在这里价格相同。`,
    group: '分组',
    prompt: '输入',
    cached: '缓存',
    charged: '实际扣费',
    formula: '公式',
    notCarried: '未导入',
    decide: '需要决定',
    changed: '以其他形式导入',
    more: (count: number) => `另有 ${count} 项`,
  },
} as const

const escape = (text: string | number | null): string =>
  String(text ?? '–').replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`)

type Amount = { readonly text: string }
type Value = string | number | Amount | null
const isNumeric = (value: Value | undefined): boolean => typeof value === 'number' || (typeof value === 'object' && value !== null)
const textOf = (value: Value): string | number | null => (typeof value === 'object' ? (value?.text ?? null) : value)

/** Numbers are at the right, and wide tables scroll by themselves. */
function table(heads: readonly string[], rows: readonly (readonly Value[])[]): string {
  const cell = (value: Value): string => `<td${isNumeric(value) ? ' class="n"' : ''}>${escape(textOf(value))}</td>`
  const isNumber = (column: number): boolean => rows.some((row) => isNumeric(row[column]))
  const head = heads.map((text, column) => `<th scope="col"${isNumber(column) ? ' class="n"' : ''}>${escape(text)}</th>`).join('')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</tbody></table></div>`
}

/** The report as a page of its own: no script, no request, light and dark. */
export function reportPage(report: ImportReport, language: Language): string {
  const texts = TEXTS[language]
  const { counts, sums, is_complete, is_dry_run, family, generation, store, finished_at } = report
  const kinds = Object.entries(counts).filter(([, count]) => count.read > 0)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title>
<style>${STYLE}</style></head><body><main>
<h1>${texts.title}</h1>
<p>${escape(`${report.name} · ${family} ${generation} · ${store} · ${new Date(finished_at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`)}</p>
<p class="${is_complete ? 'good' : 'bad'}"><strong>${is_complete ? texts.complete : texts.incomplete}</strong>${is_dry_run ? ` ${texts.dry}` : ''}</p>
${table(
  [texts.kind, texts.read, texts.created, texts.updated, texts.same, texts.skipped, texts.refused],
  // The keys of the counts are kinds.
  kinds.map(([kind, count]) => [
    IMPORT_KIND_TEXTS[kind as ImportKind][language],
    count.read,
    count.created,
    count.updated,
    count.same,
    count.skipped,
    count.refused,
  ]),
)}
${
  sums.length === 0
    ? ''
    : `<h2>${texts.sums}</h2>${table(
        [texts.sums, texts.there, texts.here],
        sums.map(({ name, source, target }) => [sumText(texts.sum, name), money(source, report), money(target, report)]),
      )}`
}
${listOf(texts.notCarried, report.refused, report, { list: 'refused', language })}
${listOf(texts.decide, report.decisions, report, { list: 'decisions', language })}
${listOf(texts.changed, report.changed, report, { list: 'changed', language })}
${pricesOf(report, language)}
</main></body></html>
`
}

/** The prices of the models that were served, and requests of the old log at both prices. */
function pricesOf(report: ImportReport, language: Language): string {
  const { prices, samples, family } = report
  const texts = TEXTS[language]
  const equal = samples.filter((sample) => isSamePrice(sample, family)).length
  return `${
    prices.length === 0
      ? ''
      : `<h2>${texts.prices}</h2>${table(
          [texts.model, texts.from, texts.ratio, texts.answer, texts.call],
          prices.map(({ model, from, model_ratio, completion_ratio, model_price }) => [
            model,
            texts.sources[from],
            model_ratio,
            completion_ratio,
            model_price,
          ]),
        )}`
  }
${
  samples.length === 0
    ? ''
    : `<p>${texts.samples(equal, samples.length)}</p>${table(
        [texts.model, texts.group, texts.prompt, texts.cached, texts.output, texts.charged, texts.formula, texts.here],
        groupSamples(samples).map((one) => [
          one.models.join(', '),
          one.group,
          one.prompt_tokens,
          one.cached_tokens,
          one.completion_tokens,
          money(one.charged, report),
          money(one.formula, report),
          money(one.here, report),
        ]),
      )}`
}`
}

const sumText = (texts: Readonly<Record<string, string>>, name: string): string => texts[name] ?? name

type Listing = { readonly list: string; readonly language: Language }

/** Rows by reason; the first are shown, the others folded. */
function listOf(title: string, items: readonly ImportItem[], report: ImportReport, { list, language }: Listing): string {
  if (items.length === 0) return ''
  const groups = [...Map.groupBy(items, ({ code }) => code)].map(([code, rows]) => {
    const beyond = report.more[`${list} ${code}`] ?? 0
    const lines = rows.map((row) => `<li>${lineOf(row, report, language)}</li>`).join('')
    const rest = beyond === 0 ? '' : `<li>${TEXTS[language].more(beyond)}</li>`
    return `<details${rows.length <= 10 ? ' open' : ''}><summary>${escape(importCodeText(code, language))} (${rows.length + beyond})</summary><ul>${lines}${rest}</ul></details>`
  })
  return `<h2>${title}</h2>${groups.join('')}`
}

function lineOf(item: ImportItem, report: ImportReport, language: Language): string {
  const { at, name, kind, quota } = item
  const named = name !== undefined && kind !== 'options'
  const rest = [
    ...(named ? [at] : []),
    importDetailText(withRuleInWords(item, language), language),
    ...(quota === undefined ? [] : [money(quota, report)?.text ?? '']),
  ]
  const shown = rest.filter((part) => part !== '').map((part) => ` <span>${escape(part)}</span>`)
  return `${escape(name ?? at)}${shown.join('')}`
}

/** Dollars by the source's unit, to the unit: the page is kept for checking. */
function money(quota: number | null, { quota_per_unit }: Pick<ImportReport, 'quota_per_unit'>): Amount | null {
  return quota === null ? null : { text: exactQuotaText(quota, { display_in_currency: true, quota_per_unit }) }
}

const STYLE = `
:root { color-scheme: light dark; --line: #d4d4d8; --soft: #52525b; --good: #166534; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --line: #3f3f46; --soft: #a1a1aa; --good: #4ade80; --bad: #f87171; } }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); } summary { cursor: pointer; padding: .2rem 0; }
li span { color: var(--soft); overflow-wrap: anywhere; } ul { margin: .2rem 0 .8rem; padding-left: 1.4rem; }
`
