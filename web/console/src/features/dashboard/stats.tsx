import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { useMetricTexts } from './use-metric.ts'
import { changeOf, changeText, valueOf, type Metric, type Sums } from './view.ts'

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
export function Stats({ now, before }: { readonly now: Sums | undefined; readonly before: Sums | undefined }): ReactNode {
  const { t } = useTranslation('dashboard')
  const textsOf = useMetricTexts()
  return (
    <StatRow>
      {STATS.map(({ metric, text, isWorse }) => {
        const value = now === undefined ? undefined : valueOf(metric, now)
        const change = changeOf(value, before === undefined ? undefined : valueOf(metric, before))
        const { textOf, axisTextOf } = textsOf(metric)
        const shown = metric === 'tokens' ? axisTextOf : textOf
        return (
          <StatCard key={metric} label={t(`stat.${text}`)} isPending={now === undefined}>
            <chakra.span {...(value === undefined ? {} : { 'data-hint': textOf(value) })}>
              {value === undefined ? '–' : shown(value)}
            </chakra.span>
            <Change change={change} isBad={isWorse === 'more' && (change ?? 0) > 0} isGood={isWorse === 'more' && (change ?? 0) < 0} />
          </StatCard>
        )
      })}
    </StatRow>
  )
}

type ChangeProps = { readonly change: number | undefined; readonly isBad: boolean; readonly isGood: boolean }

function Change({ change, isBad, isGood }: ChangeProps): ReactNode {
  const { t } = useTranslation('dashboard')
  return (
    <chakra.span
      display="block"
      textStyle="xs"
      fontWeight="normal"
      color={isBad ? 'danger.fg' : isGood ? 'success.fg' : 'text.muted'}
      data-hint={t(change === undefined ? 'stat.no-before' : 'stat.before')}
    >
      {change === undefined ? '–' : changeText(change)}
    </chakra.span>
  )
}
