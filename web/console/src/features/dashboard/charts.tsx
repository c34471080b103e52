import { Button, SimpleGrid } from '@chakra-ui/react'
import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '../../ui/chart/chart.tsx'
import type { ChartPoint, ChartSeries } from '../../ui/chart/chart-props.ts'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import { linkOf } from './links.ts'
import type { Frame, LogLink } from './frame.ts'
import type { By, DashboardSearch, Rank } from './search.ts'
import { QualityCharts } from './quality-charts.tsx'
import { useEmptyTexts, useMetricTexts } from './use-metric.ts'
import { NOTHING, chartOf, compareOf } from './chart-data.ts'

export type Shared = {
  readonly data: UsageSeries | undefined
  readonly before: UsageSeries | undefined
  readonly frame: Frame
  readonly by: By
  readonly rank: Rank
  readonly search: DashboardSearch
  readonly onLog: (link: LogLink) => void
}

const EMPTY: UsageSeries = {
  unit: 'day',
  is_utc: false,
  refresh_minutes: 5,
  totals: NOTHING,
  overall: [],
  keys: [],
  points: [],
}

type ChartsProps = Shared & {
  readonly error: string | undefined
  readonly onRetry: () => void
  /** Stands after the first chart on a phone, last on wide windows. */
  readonly list: ReactNode
}

/** The metric over time and its shares, the period before, durations, cache and failures; a point opens the log. */
export function Charts(props: ChartsProps): ReactNode {
  const { frame, rank, by } = props
  const isNarrow = useNarrow()
  const [isWhole, setWhole] = useState(false)
  const { t } = useTranslation('dashboard')
  const textsOf = useMetricTexts()
  const data = props.data ?? EMPTY
  const emptyOf = useEmptyTexts(data.totals)
  const names = { rest: t('chart.rest'), none: t('chart.none') }
  const course = chartOf(data, frame, { metric: rank, ...names })
  const labels = [t('chart.now'), t('chart.before')] as const
  const pick = (point: ChartPoint | undefined, series: ChartSeries | undefined): void =>
    props.onLog(linkOf(props, { point, key: data.keys.find(({ key }) => `k${key}` === series?.id) }))
  const state = {
    pointHeader: t('chart.time'),
    isPending: props.data === undefined && props.error === undefined,
    error: props.data === undefined ? props.error : undefined,
    onRetry: props.onRetry,
    empty: emptyOf(rank),
    onPick: pick,
  }
  const rankName = t(`rank.${rank}`)
  return (
    <>
      <Chart
        {...state}
        {...course}
        {...textsOf(rank)}
        kind="bars"
        title={t('chart.course', { rank: rankName })}
        fileName={`usage-${rank}`}
        height="18rem"
      />
      {isNarrow ? props.list : null}
      <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" minW="0">
        <Chart {...state} {...course} {...textsOf(rank)} kind="share" title={t('chart.share', { rank: rankName })} fileName="shares" />
        <Chart
          {...state}
          {...compareOf([data, props.before], frame, { metric: rank, labels })}
          {...textsOf(rank)}
          kind="line"
          title={t('chart.compare')}
          fileName="compared"
        />
        {isNarrow && !isWhole ? (
          <Button variant="outline" onClick={() => setWhole(true)}>
            {t('chart.more')}
          </Button>
        ) : (
          <QualityCharts state={state} data={data} frame={frame} by={by} />
        )}
        <Chart
          {...state}
          {...compareOf([data, props.before], frame, { metric: 'error-rate', labels })}
          {...textsOf('error-rate')}
          empty={emptyOf('error-rate')}
          kind="line"
          title={t('chart.errors')}
          fileName="errors"
        />
      </SimpleGrid>
      {isNarrow ? null : props.list}
    </>
  )
}
