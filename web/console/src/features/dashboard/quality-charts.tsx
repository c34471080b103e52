import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '../../ui/chart/chart.tsx'
import type { Frame } from './frame.ts'
import type { By } from './search.ts'
import { useEmptyTexts, useMetricTexts } from './use-metric.ts'
import { chartOf, overallChartOf, type Metric } from './chart-data.ts'

type ChartState = Pick<ComponentProps<typeof Chart>, 'pointHeader' | 'isPending' | 'error' | 'onRetry' | 'empty' | 'onPick'>
type QualityChartsProps = { readonly state: ChartState; readonly data: UsageSeries; readonly frame: Frame; readonly by: By }

/** How long requests took, how soon their answers began, and how much of their prompts was cached: of all, and split. */
export function QualityCharts({ state, data, frame, by }: QualityChartsProps): ReactNode {
  const { t } = useTranslation('dashboard')
  const textsOf = useMetricTexts()
  const emptyOf = useEmptyTexts(data.totals)
  const names = { rest: t('chart.rest'), none: t('chart.none') }
  const split = { by: t(`by.${by}`) }
  const overall = (...metrics: readonly (readonly [Metric, string])[]) =>
    overallChartOf(
      data,
      frame,
      metrics.map(([metric, label]) => ({ metric, label })),
    )
  const bySplit = (metric: Metric) => chartOf(data, frame, { metric, ...names })
  const p50 = t('chart.p50')
  const p95 = t('chart.p95')
  const charts = [
    {
      fileName: 'duration',
      metric: 'duration',
      title: t('chart.duration'),
      help: t('chart.duration-help'),
      chart: overall(['p50', p50], ['p95', p95], ['duration', t('chart.average')]),
    },
    {
      fileName: 'duration-p95',
      metric: 'p95',
      title: t('chart.p95-by', split),
      help: t('chart.percentile-help'),
      chart: bySplit('p95'),
    },
    {
      fileName: 'first-token',
      metric: 'first-p50',
      title: t('chart.first'),
      help: t('chart.first-help'),
      chart: overall(['first-p50', p50], ['first-p95', p95]),
    },
    {
      fileName: 'first-token-p95',
      metric: 'first-p95',
      title: t('chart.first-p95-by', split),
      help: t('chart.first-help'),
      chart: bySplit('first-p95'),
    },
    {
      fileName: 'cache-share',
      metric: 'cache-share',
      title: t('chart.cache-by', split),
      help: t('chart.cache-help'),
      chart: bySplit('cache-share'),
    },
  ] as const
  return charts.map(({ fileName, metric, title, help, chart }) => (
    <Chart
      key={fileName}
      {...state}
      {...chart}
      {...textsOf(metric)}
      empty={emptyOf(metric)}
      kind="line"
      title={title}
      help={help}
      fileName={fileName}
    />
  ))
}
