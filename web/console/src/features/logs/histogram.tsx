import { Box, chakra, Flex, Skeleton } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { LogFilter } from '@tollgate/contracts/resources/logs'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type PointerEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { logHistogram } from './api.ts'
import { barAt, barsOf, heightsOf, PARTS, rangeOfSpan, spanBetween, totalsOf, type Bar } from './histogram-view.ts'
import { parseLogSearch, type LogSearch, type Span } from './search.ts'

type HistogramProps = {
  readonly filter: LogFilter
  readonly isAdmin: boolean
  readonly search: LogSearch
  readonly onSearch: (search: LogSearch) => void
}

/** Requests over the chosen time. A drag narrows the time, a click on a colour chooses the type. */
export function Histogram({ filter, isAdmin, search, onSearch }: HistogramProps): ReactNode {
  const { t } = useTranslation('logs')
  const { data, isError } = useQuery(logHistogram(filter, isAdmin))
  if (data === undefined) return isError ? null : <Skeleton height="6.5rem" flexShrink="0" />
  const totals = totalsOf(data)
  const change = (next: Partial<Record<keyof LogSearch, unknown>>): void =>
    onSearch(parseLogSearch({ ...search, page: undefined, ...next }))
  const pickType = (type: number): void => change({ type: search.type === type ? undefined : type })
  const narrow = (span: Span): void => change({ preset: undefined, ...rangeOfSpan(span) })
  return (
    <chakra.figure
      bg="panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      px="3"
      py="2"
      flexShrink="0"
      aria-label={t('histogram.title')}
    >
      <Flex align="center" wrap="wrap" columnGap="1" ms="-1.5" textStyle="xs">
        {PARTS.map(({ part, type, colour }) => (
          <chakra.button
            key={part}
            type="button"
            aria-pressed={search.type === type}
            data-hint={t('histogram.pick-help')}
            display="inline-flex"
            alignItems="center"
            gap="1.5"
            minH="6"
            px="1.5"
            borderRadius="sm"
            cursor="pointer"
            focusVisibleRing="inside"
            color={search.type === undefined || search.type === type ? 'text' : 'text.muted'}
            bg={search.type === type ? 'subtle' : 'transparent'}
            _hover={{ bg: 'subtle' }}
            onClick={() => pickType(type)}
          >
            <chakra.span boxSize="2.5" borderRadius="xs" bg={colour} />
            {t(`histogram.${part}`)}
            <chakra.span color="text.muted" fontVariantNumeric="tabular-nums">
              {groupDigits(totals[part])}
            </chakra.span>
          </chakra.button>
        ))}
        <chakra.span ms="auto" color="text.muted" hideBelow="sm">
          {t(data.is_cut ? 'histogram.cut' : 'histogram.help')}
        </chakra.span>
      </Flex>
      <Bars bars={barsOf(data)} chosen={search.type} onType={pickType} onSpan={narrow} />
    </chakra.figure>
  )
}

type BarsProps = {
  readonly bars: readonly Bar[]
  readonly chosen: number | undefined
  readonly onType: (type: number) => void
  readonly onSpan: (span: Span) => void
}

/** A pointer only: with the keyboard the time is set in its fields, and the type by the legend. */
function Bars({ bars, chosen, onType, onSpan }: BarsProps): ReactNode {
  const { t } = useTranslation('logs')
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | undefined>(undefined)
  const most = Math.max(0, ...bars.map(({ total }) => total))
  const placeOf = ({ currentTarget, clientX }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return barAt(bars.length, (clientX - left) / width)
  }
  const start = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ from: placeOf(event), to: placeOf(event) })
  }
  const move = (event: PointerEvent): void => (drag === undefined ? undefined : setDrag({ ...drag, to: placeOf(event) }))
  const end = (event: PointerEvent): void => {
    setDrag(undefined)
    if (drag === undefined) return
    const span = spanBetween(bars, drag.from, placeOf(event))
    if (drag.from !== placeOf(event)) return span === undefined ? undefined : onSpan(span)
    const part = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.getAttribute('data-type') !== null)
    if (part === undefined) return
    onType(Number(part.getAttribute('data-type')))
  }
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <>
      <Flex
        role="img"
        aria-label={t('histogram.label', { count: bars.reduce((sum, { total }) => sum + total, 0) })}
        height={{ base: '2.5rem', sm: '3.5rem' }}
        align="stretch"
        mt="1"
        borderBottomWidth="1px"
        borderColor="border.strong"
        cursor="crosshair"
        touchAction="pan-y"
        userSelect="none"
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        {bars.map((bar, index) => (
          <Stack key={bar.from} bar={bar} most={most} chosen={chosen} isMarked={isWithin(drag, index)} />
        ))}
      </Flex>
      <Flex justify="space-between" textStyle="2xs" color="text.muted" fontVariantNumeric="tabular-nums" mt="0.5">
        <span>{first === undefined ? '' : shortTime(first.from)}</span>
        <span>{last === undefined ? '' : shortTime(last.until)}</span>
      </Flex>
    </>
  )
}

function Stack({ bar, most, chosen, isMarked }: { bar: Bar; most: number; chosen: number | undefined; isMarked: boolean }): ReactNode {
  const { t } = useTranslation('logs')
  const heights = heightsOf(bar, most)
  const lines = PARTS.filter(({ part }) => bar[part] > 0).map(({ part }) => `${t(`histogram.${part}`)} ${groupDigits(bar[part])}`)
  return (
    <Flex
      flex="1"
      minW="0"
      direction="column-reverse"
      px="0.5px"
      bg={isMarked ? 'accent.subtle' : 'transparent'}
      _hover={{ bg: isMarked ? 'accent.subtle' : 'subtle' }}
      data-hint={[`${timeText(bar.from)} – ${timeText(bar.until)}`, ...(lines.length === 0 ? [t('histogram.none')] : lines)].join('\n')}
    >
      {PARTS.map(({ part, type, colour }) =>
        heights[part] === 0 ? null : (
          <Box
            key={part}
            data-type={type}
            bg={colour}
            height={`${heights[part]}%`}
            flexShrink="1"
            minH="2px"
            opacity={chosen === undefined || chosen === type ? 1 : 0.3}
          />
        ),
      )}
    </Flex>
  )
}

const isWithin = (drag: { readonly from: number; readonly to: number } | undefined, index: number): boolean =>
  drag !== undefined && drag.from !== drag.to && index >= Math.min(drag.from, drag.to) && index <= Math.max(drag.from, drag.to)

/** Without the year and the seconds. */
const shortTime = (at: number): string => timeText(at).slice(5, 16)
