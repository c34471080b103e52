import { chakra, Flex, Skeleton, Text } from '@chakra-ui/react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { dashboard } from '@tollgate/contracts/resources/dashboard'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { exactQuotaText, quotaText } from '@tollgate/domain/display/quota-text'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../../lib/api.ts'
import { failureText } from '../../../lib/report.ts'
import { useQuotaStyle } from '../../../ui/display/quota-text.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import { calendarOf, calendarStart, type Calendar, type Day } from './calendar.ts'

const WEEKS = { wide: 53, narrow: 18 } as const

const daysFrom = (start: number, end: number) => {
  const query = { start_timestamp: start, end_timestamp: end, by: 'user', unit: 'day', rank: 'quota', timezone: 0 } as const
  return queryOptions({
    queryKey: keyOf(dashboard.ownSeries, query),
    queryFn: ({ signal }) => call(dashboard.ownSeries, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })
}

/** Spending of each day as a calendar: the darker, the more. A day opens its requests. */
export function SpendDays(): ReactNode {
  const { t } = useTranslation('statement')
  const style = useQuotaStyle()
  const [opened] = useState(() => Math.floor(Date.now() / 1000))
  const start = calendarStart(opened, useNarrow() ? WEEKS.narrow : WEEKS.wide)
  const { data, error, refetch } = useQuery(daysFrom(start, opened))
  const calendar = data === undefined ? undefined : calendarOf(data, start, opened)
  const { largest } = calendar ?? {}
  return (
    <Panel title={t('days.title')} help={t('days.help')}>
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data === undefined && error === null ? <Skeleton height="32" /> : null}
      {calendar !== undefined && largest === undefined ? <Text color="text.muted">{t('days.none')}</Text> : null}
      {calendar === undefined || largest === undefined ? null : (
        <Flex direction="column" gap="3">
          <DayGrid calendar={calendar} />
          <Flex columnGap="4" rowGap="2" wrap="wrap" justify="space-between" textStyle="sm" color="text.muted">
            <span>
              {t('days.total', { count: calendar.used, amount: quotaText(calendar.total, 'total', style) })}
              {' · '}
              {t('days.largest', { day: largest.name, amount: quotaText(largest.quota, 'total', style) })}
            </span>
            <Legend />
          </Flex>
        </Flex>
      )}
    </Panel>
  )
}

/** One stop of the Tab key; arrows move between days with spending. */
function DayGrid({ calendar: { weeks, largest } }: { readonly calendar: Calendar }): ReactNode {
  const { t } = useTranslation('statement')
  const navigate = useNavigate()
  const days = weeks.flat().filter(({ level }) => level > 0)
  const [chosen, setChosen] = useState(days.at(-1)?.start ?? largest?.start)
  const stop = days.some(({ start }) => start === chosen) ? chosen : days.at(-1)?.start
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const at = days.findIndex(({ start }) => start === stop)
    const next = days[nextOf(event.key, at, days)]
    if (next === undefined) return
    event.preventDefault()
    setChosen(next.start)
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${next.start}"]`)?.focus()
  }
  return (
    <chakra.div overflowX="auto" py="1">
      <chakra.div role="group" aria-label={t('days.title')} display="flex" gap="3px" width="max-content" onKeyDown={move}>
        {weeks.map((week, index) => (
          <chakra.div key={week[0]?.start} display="flex" flexDirection="column" gap="3px" width="13px">
            <MonthMark week={week} before={weeks[index - 1]} />
            {week.map((day) => (
              <DayCell
                key={day.start}
                day={day}
                isStop={day.start === stop}
                onOpen={() => void navigate({ to: '/log', search: { start: day.start, end: day.start + DAY_SECONDS - 1 } })}
              />
            ))}
          </chakra.div>
        ))}
      </chakra.div>
    </chakra.div>
  )
}

/** Left and right go a week, or to the nearest day beyond it. */
function nextOf(key: string, at: number, days: readonly Day[]): number {
  const start = days[at]?.start ?? 0
  if (key === 'Home') return 0
  if (key === 'End') return days.length - 1
  if (key === 'ArrowUp') return at - 1
  if (key === 'ArrowDown') return at + 1
  if (key === 'ArrowRight') return days.findIndex((day) => day.start >= start + 7 * DAY_SECONDS)
  return key === 'ArrowLeft' ? days.findLastIndex((day) => day.start <= start - 7 * DAY_SECONDS) : -1
}

/** The month, above the week in which it begins. */
function MonthMark({ week, before }: { readonly week: readonly Day[]; readonly before: readonly Day[] | undefined }): ReactNode {
  const month = week[0]?.name.slice(0, 7)
  const isNew = before !== undefined && before[0]?.name.slice(0, 7) !== month
  return (
    <chakra.span aria-hidden textStyle="xs" color="text.muted" height="4" whiteSpace="nowrap" overflow="visible">
      {isNew ? month?.slice(5) : ''}
    </chakra.span>
  )
}

const OPACITY = [1, 0.25, 0.5, 0.75, 1] as const
const CELL = { boxSize: '13px', borderRadius: '3px', display: 'block', flexShrink: '0' } as const
const fillOf = (level: Day['level']) =>
  level === 0 ? { borderWidth: '1px', borderColor: 'border' } : { bg: 'accent.solid', opacity: OPACITY[level] }

function DayCell({ day, isStop, onOpen }: { readonly day: Day; readonly isStop: boolean; readonly onOpen: () => void }): ReactNode {
  const { t } = useTranslation('statement')
  const style = useQuotaStyle()
  if (day.level === 0) return <chakra.span aria-hidden {...CELL} {...fillOf(0)} />
  const words = t('days.one', { day: day.name, amount: exactQuotaText(day.quota, style) })
  return (
    <chakra.button
      type="button"
      {...CELL}
      position="relative"
      cursor="pointer"
      focusVisibleRing="outside"
      aria-label={words}
      data-hint={words}
      data-day={day.start}
      tabIndex={isStop ? 0 : -1}
      onClick={onOpen}
    >
      <chakra.span {...CELL} {...fillOf(day.level)} />
    </chakra.button>
  )
}

function Legend(): ReactNode {
  const { t } = useTranslation('statement')
  return (
    <Flex as="span" aria-hidden gap="1" align="center">
      {t('days.less')}
      {([0, 1, 2, 3, 4] as const).map((level) => (
        <chakra.span key={level} {...CELL} {...fillOf(level)} />
      ))}
      {t('days.more')}
    </Flex>
  )
}
