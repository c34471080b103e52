import { useTranslation } from 'react-i18next'
import { countText, groupDigits } from '@tollgate/domain/display/count-text'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { durationText } from '@tollgate/domain/display/time-text'
import { shareText } from '../../ui/chart/chart-data.ts'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { isTail, type Metric, type Sums } from './chart-data.ts'

/** How values of a metric are written, exactly and on an axis. */
export function useMetricTexts(): (metric: Metric) => {
  readonly textOf: (value: number) => string
  readonly axisTextOf: (value: number) => string
  readonly axisUnit?: number
} {
  const style = useQuotaStyle()
  return (metric) => {
    if (metric === 'quota') {
      const axisTextOf = (quota: number): string =>
        style.display_in_currency ? `$${countText(Number((quota / style.quota_per_unit).toPrecision(3)))}` : countText(quota)
      return {
        textOf: (quota) => quotaText(quota, 'total', style),
        axisTextOf,
        ...(style.display_in_currency ? { axisUnit: style.quota_per_unit } : {}),
      }
    }
    if (metric === 'duration' || isTail(metric)) return { textOf: durationText, axisTextOf: durationText }
    if (metric === 'error-rate' || metric === 'cache-share')
      return { textOf: shareText, axisTextOf: (rate) => `${Number((rate * 100).toFixed(1))}%` }
    return { textOf: (count) => groupDigits(Math.round(count)), axisTextOf: countText }
  }
}

/** Why a chart of a metric shows nothing. */
export function useEmptyTexts({ requests, errors }: Pick<Sums, 'requests' | 'errors'>): (metric: Metric) => string {
  const { t } = useTranslation('dashboard')
  return (metric) => {
    if (requests + errors === 0) return t('chart.empty')
    if (metric === 'errors' || metric === 'error-rate') return t('chart.no-errors')
    if (metric === 'cache-share') return t('chart.no-cache')
    if (metric === 'first-p50' || metric === 'first-p95') return t('chart.no-streams')
    return t(isTail(metric) ? 'chart.no-charges' : 'chart.no-values')
  }
}
