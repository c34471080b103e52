import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { useMetricTexts } from './use-metric.ts'
import { changeOf, changeText, isShare, pointsText, valueOf, type Metric, type Sums } from './chart-data.ts'

const STATS = [
  { metric: 'quota', text: 'quota', isWorse: undefined },
  { metric: 'requests', text: 'requests', isWorse: undefined },
  { metric: 'tokens', text: 'tokens', isWorse: undefined },
  { metric: 'error-rate', text: 'errors', isWorse: 'more' },
  { metric: 'p95', text: 'p95', isWorse: 'more' },
  { metric: 'first-p50', text: 'first', isWorse: 'more' },
  { metric: 'cache-share', text: 'cache', isWorse: undefined },
] as const satisfies readonly { metric: Metric; text: string; isWorse: 'more' | undefined }[]

/** The sums of the period, each with its change against the period before. */
type StatsProps = {
  readonly isPending: boolean
  readonly now: Sums | undefined
  readonly before: Sums | undefined
  /** How far back the period lies that it is compared with. */
  readonly days: number
}

export function Stats({ isPending, now, before, days }: StatsProps): ReactNode {
  const { t } = useTranslation('dashboard')
  const textsOf = useMetricTexts()
  return (
    <StatRow>
      {STATS.map(({ metric, text, isWorse }) => {
        const value = now === undefined ? undefined : valueOf(metric, now)
        const earlier = before === undefined ? undefined : valueOf(metric, before)
        const change = isShare(metric) ? differenceOf(value, earlier) : changeOf(value, earlier)
        const changed =
          change === undefined ? undefined : isShare(metric) ? t('stat.points', { points: pointsText(change) }) : changeText(change)
        const { textOf, axisTextOf } = textsOf(metric)
        const shown = metric === 'tokens' ? axisTextOf : textOf
        return (
          <StatCard key={metric} label={t(`stat.${text}`)} isPending={isPending} hasNote>
            <chakra.span {...(value === undefined ? {} : { 'data-hint': textOf(value) })}>
              {value === undefined ? '–' : shown(value)}
            </chakra.span>
            <Change
              text={changed}
              days={days}
              isBad={isWorse === 'more' && (change ?? 0) > 0}
              isGood={isWorse === 'more' && (change ?? 0) < 0}
            />
          </StatCard>
        )
      })}
    </StatRow>
  )
}

const differenceOf = (now: number | undefined, before: number | undefined): number | undefined =>
  now === undefined || before === undefined ? undefined : now - before

type ChangeProps = { readonly text: string | undefined; readonly days: number; readonly isBad: boolean; readonly isGood: boolean }

function Change({ text, days, isBad, isGood }: ChangeProps): ReactNode {
  const { t } = useTranslation('dashboard')
  return (
    <chakra.span
      display="block"
      textStyle="xs"
      fontWeight="normal"
      color={isBad ? 'danger.fg' : isGood ? 'success.fg' : 'text.muted'}
      data-hint={t(text === undefined ? 'stat.no-before' : 'stat.before')}
    >
      {text ?? '–'}
      {text === undefined ? null : (
        <>
          {' '}
          <chakra.span color="text.muted" whiteSpace="nowrap">
            {t('stat.versus', { count: days })}
          </chakra.span>
        </>
      )}
    </chakra.span>
  )
}
