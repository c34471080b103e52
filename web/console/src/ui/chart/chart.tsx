import { chakra, Flex, Heading, Skeleton, Text } from '@chakra-ui/react'
import { ChartLine, Download, Table2 } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../display/icon-button.tsx'
import { csvOf, saveCsv } from '../list/csv.ts'
import { ErrorState } from '../page/states.tsx'
import { colourOf, isEmptyChart } from './chart-data.ts'
import type { ChartData, ChartSeries } from './chart-props.ts'
import { ChartTable, fileColumns, useChartColumns } from './chart-table.tsx'

/** recharts weighs more than a page: it comes with the first chart that has something to draw. */
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

type ChartProps = ChartData & {
  readonly title: string
  readonly help?: string
  /** Name of the points, as the head of the table's first column. */
  readonly pointHeader: string
  /** Name of the file without its ending. */
  readonly fileName: string
  readonly isPending?: boolean
  readonly error?: string | undefined
  readonly onRetry?: () => void
  readonly empty: string
  readonly height?: string
  /** Choices that belong to this chart, beside its title. */
  readonly controls?: ReactNode
}

/** A chart with its title, its table, its file, and every state it can be in. Hiding a series in the legend does not change table and file. */
export function Chart(props: ChartProps): ReactNode {
  const { title, help, pointHeader, fileName, height = '16rem', series, points } = props
  const { t } = useTranslation('display')
  const [isTable, setTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const columns = useChartColumns(props, pointHeader)
  const isEmpty = isEmptyChart(series, points)
  const isReady = props.isPending !== true && props.error === undefined && !isEmpty
  const shown = series.filter(({ id }) => !hidden.has(id))
  return (
    <chakra.figure
      bg="panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      px="4"
      pt="3"
      pb="4"
      minW="0"
      display="flex"
      flexDirection="column"
      aria-label={title}
    >
      <Flex align="center" gap="2" minH="8" wrap="wrap">
        <Heading as="h2" textStyle="section" color="text.strong" {...(help === undefined ? {} : { 'data-hint': help, cursor: 'help' })}>
          {title}
        </Heading>
        <Flex ms="auto" gap="1" align="center">
          {props.controls}
          <IconButton
            size="sm"
            label={t(isTable ? 'chart.as-chart' : 'chart.as-table')}
            aria-pressed={isTable}
            disabled={!isReady}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? <ChartLine /> : <Table2 />}
          </IconButton>
          <IconButton
            size="sm"
            label={t('chart.save')}
            disabled={!isReady}
            onClick={() => saveCsv(fileName, csvOf(fileColumns(columns), columns.rows))}
          >
            <Download />
          </IconButton>
        </Flex>
      </Flex>
      {isReady && !isTable && props.kind !== 'share' ? <Legend series={series} hidden={hidden} onHidden={setHidden} /> : null}
      <chakra.div position="relative" flex="1" minH={props.kind === 'share' ? { base: underRing(series), sm: height } : height} mt="2">
        <chakra.div position="absolute" inset="0">
          {props.isPending === true ? (
            <Skeleton height="full" aria-busy />
          ) : props.error !== undefined ? (
            <ErrorState message={props.error} onRetry={() => props.onRetry?.()} />
          ) : isEmpty ? (
            <Flex height="full" align="center" justify="center">
              <Text color="text.muted" textStyle="sm">
                {props.empty}
              </Text>
            </Flex>
          ) : isTable ? (
            <ChartTable data={props} columns={columns} label={title} />
          ) : (
            <Suspense fallback={<Skeleton height="full" />}>
              <Plot {...props} label={t('chart.label', { title })} series={shown} colours={coloursOf(series)} />
            </Suspense>
          )}
        </chakra.div>
      </chakra.div>
    </chakra.figure>
  )
}

/** On a phone the parts are below the ring, a line each. */
const underRing = (series: readonly ChartSeries[]): string => `${Math.max(16, 12 + 1.5 * series.length)}rem`

/** Colours follow the whole list, so that a series keeps its colour while others are hidden. */
const coloursOf = (series: readonly ChartSeries[]): Readonly<Record<string, string>> =>
  Object.fromEntries(series.map((one) => [one.id, colourOf(series, one)]))

type LegendProps = {
  readonly series: readonly ChartSeries[]
  readonly hidden: ReadonlySet<string>
  readonly onHidden: (hidden: ReadonlySet<string>) => void
}

/** The names of the colours; a press hides a series and shows it again. One series needs none. */
function Legend({ series, hidden, onHidden }: LegendProps): ReactNode {
  if (series.length < 2) return null
  return (
    <Flex wrap="wrap" columnGap="1" mt="1" ms="-1.5">
      {series.map((one) => (
        <chakra.button
          key={one.id}
          type="button"
          aria-pressed={!hidden.has(one.id)}
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          minH="6"
          px="1.5"
          maxW="14rem"
          borderRadius="sm"
          textStyle="xs"
          color={hidden.has(one.id) ? 'text.muted' : 'text'}
          cursor="pointer"
          focusVisibleRing="inside"
          _hover={{ bg: 'subtle' }}
          onClick={() => onHidden(hidden.symmetricDifference(new Set([one.id])))}
        >
          <chakra.span
            boxSize="2.5"
            flexShrink="0"
            borderRadius="xs"
            borderWidth="2px"
            borderStyle={one.isBefore === true ? 'dashed' : 'solid'}
            borderColor={colourOf(series, one)}
            bg={hidden.has(one.id) || one.isBefore === true ? 'transparent' : colourOf(series, one)}
          />
          <chakra.span
            overflow="hidden"
            textOverflow="ellipsis"
            whiteSpace="nowrap"
            textDecoration={hidden.has(one.id) ? 'line-through' : 'none'}
          >
            {one.label}
          </chakra.span>
        </chakra.button>
      ))}
    </Flex>
  )
}
