import { chakra, Flex } from '@chakra-ui/react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  Line,
  LineChart,
  Pie,
  PieChart,
  Tooltip,
  XAxis,
  YAxis,
  type DotItemDotProps,
  type TooltipContentProps,
} from 'recharts'
import { system } from '../../theme/system.ts'
import { isAlone, largestOf, lineValues, OPEN, roundTicks, shareText, sharesOf } from './chart-data.ts'
import type { ChartData, ChartPoint, ChartSeries } from './chart-props.ts'

type PlotProps = ChartData & {
  readonly label: string
  /** Semantic colour of each series, hidden ones included. */
  readonly colours: Readonly<Record<string, string>>
}

/** Data for recharts: one object per point, the values under the ids of their series. */
type Datum = { readonly [name: string]: unknown; readonly point: ChartPoint }

const CSS = {
  width: '100%',
  '& *': { outline: 'none' },
  '& svg': { overflow: 'visible' },
  '& .recharts-wrapper': { width: '100%', height: '100%' },
  '& .recharts-surface:focus-visible': { outline: '2px solid', outlineColor: 'accent.focusRing', borderRadius: 'sm' },
  '& :where(.recharts-cartesian-axis-tick-value)': { fill: 'text.muted', fontVariantNumeric: 'tabular-nums' },
} as const

/** The drawing of a chart. The arrow keys move along the points, Enter opens what is behind one. */
export function Plot(props: PlotProps): ReactNode {
  const { points, series, kind } = props
  const data = points.map((point, index): Datum => ({
    ...(kind === 'line' ? lineValues(points, index, series) : point.values),
    point,
    label: point.label,
  }))
  const current = useRef<ChartPoint | undefined>(undefined)
  const pickCurrent = (): void => (current.current === undefined ? undefined : props.onPick?.(current.current, undefined))
  const shown: ShownProps = { ...props, data, onCurrent: (point) => (current.current = point) }
  return (
    <chakra.div
      height="full"
      textStyle="xs"
      css={CSS}
      onKeyDown={(event) => (event.key === 'Enter' ? pickCurrent() : undefined)}
      {...(props.onPick === undefined || props.kind === 'share' ? {} : { cursor: 'pointer', onClick: pickCurrent })}
    >
      {props.kind === 'share' ? <Shares {...shown} /> : props.kind === 'bars' ? <Bars {...shown} /> : <Lines {...shown} />}
    </chakra.div>
  )
}

type ShownProps = PlotProps & {
  readonly data: Datum[]
  readonly onCurrent: (point: ChartPoint | undefined) => void
}

/** A semantic colour where only CSS is understood. */
const colourVar = (name: string): string => system.token(`colors.${name}`, name)

const SIZE = { width: '100%', height: '100%' } as const
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const

function Lines({ data, series, colours, ...props }: ShownProps): ReactNode {
  return (
    <LineChart data={data} responsive style={SIZE} margin={MARGIN} title={props.label} accessibilityLayer>
      {axesOf({ ...props, series })}
      {tipOf({ ...props, series, colours })}
      {series.map(({ id, isBefore }) => (
        <Line
          key={id}
          dataKey={id}
          stroke={colourVar(colours[id] ?? 'chart.rest')}
          strokeWidth={isBefore === true ? 1.5 : 2}
          dot={dotOf(data, id)}
          isAnimationActive={false}
          {...(isBefore === true ? { strokeDasharray: '4 4' } : {})}
        />
      ))}
      {series.flatMap(({ id, isBefore }) =>
        isBefore === true || !props.points.some(({ isOpen }) => isOpen === true)
          ? []
          : [
              <Line
                key={`${id}${OPEN}`}
                dataKey={`${id}${OPEN}`}
                stroke={colourVar(colours[id] ?? 'chart.rest')}
                strokeWidth={2}
                strokeDasharray="2 4"
                dot={dotOf(data, `${id}${OPEN}`)}
                isAnimationActive={false}
              />,
            ],
      )}
    </LineChart>
  )
}

/** A value without one beside it is a dot. */
const dotOf =
  (data: readonly Datum[], id: string) =>
  ({ key, cx, cy, index, stroke }: DotItemDotProps): ReactNode => {
    if (!isAlone(data, index, id)) return <g key={key} />
    return <circle key={key} cx={cx} cy={cy} r={3} fill={stroke} />
  }

function Bars({ data, series, colours, ...props }: ShownProps): ReactNode {
  return (
    <BarChart
      data={data}
      responsive
      style={SIZE}
      margin={MARGIN}
      title={props.label}
      accessibilityLayer
      maxBarSize={44}
      barCategoryGap="18%"
    >
      {axesOf({ ...props, series })}
      {tipOf({ ...props, series, colours })}
      {series.map(({ id }) => (
        // A hairline of the panel's colour parts neighbours whose colours are close for some eyes.
        <Bar
          key={id}
          dataKey={id}
          stackId="all"
          fill={colourVar(colours[id] ?? 'chart.rest')}
          stroke={colourVar('panel')}
          strokeWidth={0.75}
          isAnimationActive={false}
        >
          {props.points.map(({ key, isOpen }) => (
            <Cell key={key} fillOpacity={isOpen === true ? 0.45 : 1} />
          ))}
        </Bar>
      ))}
    </BarChart>
  )
}

/** Grid and axes; recharts wants them as direct children. */
function axesOf({ axisTextOf, textOf, axisUnit, kind, series, points }: ChartData): ReactNode {
  const ticks = roundTicks(largestOf(series, points, kind === 'bars'), axisUnit)
  return (
    <>
      <CartesianGrid vertical={false} stroke={colourVar('border')} />
      <XAxis
        dataKey="label"
        tickLine={false}
        axisLine={{ stroke: colourVar('border.strong') }}
        minTickGap={24}
        tickMargin={6}
        allowDuplicatedCategory
      />
      <YAxis
        tickLine={false}
        axisLine={false}
        width="auto"
        tickMargin={4}
        {...(ticks.length === 0 ? { tickCount: 5 } : { ticks, domain: [0, ticks.at(-1) ?? 0] })}
        tickFormatter={(value: number) => (axisTextOf ?? textOf)(value)}
      />
    </>
  )
}

type TipProps = Pick<ShownProps, 'series' | 'colours' | 'textOf' | 'onCurrent'>

function tipOf(props: TipProps): ReactNode {
  return (
    <Tooltip
      isAnimationActive={false}
      wrapperStyle={{ zIndex: 1, pointerEvents: 'none' }}
      cursor={{ fill: colourVar('subtle'), stroke: colourVar('border.strong') }}
      content={(tip: TooltipContentProps) => <Tip {...props} tip={tip} />}
    />
  )
}

function Tip({ tip, series, colours, textOf, onCurrent }: TipProps & { readonly tip: TooltipContentProps }): ReactNode {
  const { t } = useTranslation('display')
  const point = tip.active ? pointOf(tip.payload[0]?.payload) : undefined
  useEffect(() => {
    onCurrent(point)
  })
  if (point === undefined) return null
  const rows = series.filter(({ id }) => point.values[id] !== undefined)
  return (
    <TipBox title={point.isOpen === true ? t('chart.so-far', { name: point.name }) : point.name}>
      {rows
        .filter(({ id }) => rows.length < 3 || point.values[id] !== 0)
        .map((one) => (
          <TipLine key={one.id} series={one} colour={colours[one.id]} text={textOf(point.values[one.id] ?? 0)} />
        ))}
    </TipBox>
  )
}

/** The data are ours; recharts types them as anything. */
function pointOf(datum: unknown): ChartPoint | undefined {
  return typeof datum === 'object' && datum !== null && 'point' in datum ? (datum as Datum).point : undefined
}

function TipBox({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <chakra.div
      bg="raised"
      borderWidth="1px"
      borderColor="border"
      borderRadius="control"
      boxShadow="raised"
      px="2.5"
      py="1.5"
      textStyle="xs"
      minW="9rem"
    >
      <chakra.div color="text.strong" fontWeight="medium" mb="0.5">
        {title}
      </chakra.div>
      {children}
    </chakra.div>
  )
}

function TipLine({ series, colour = 'chart.rest', text }: { series: ChartSeries; colour: string | undefined; text: string }): ReactNode {
  return (
    <Flex align="center" gap="2" lineHeight="1.6">
      <chakra.span boxSize="2" borderRadius="xs" bg={colour} flexShrink="0" />
      <chakra.span color="text.muted" maxW="11rem" overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
        {series.label}
      </chakra.span>
      <chakra.span ms="auto" ps="3" color="text.strong" fontVariantNumeric="tabular-nums">
        {text}
      </chakra.span>
    </Flex>
  )
}

/** A ring, and beside it the parts with their share in words: the eye compares angles badly. */
function Shares({ series, points, colours, textOf, label, onPick }: ShownProps): ReactNode {
  const parts = sharesOf(series, points)
  const slices = parts.map(({ series: { id, label: name }, value }) => ({ id, name, value }))
  return (
    <Flex height="full" align="center" gap="4" direction={{ base: 'column', sm: 'row' }}>
      <chakra.div flex="1" minW="0" minH="0" height="full" width={{ base: 'full', sm: 'auto' }}>
        <PieChart responsive style={SIZE} title={label} accessibilityLayer>
          <Pie
            data={slices}
            dataKey="value"
            nameKey="name"
            innerRadius="58%"
            outerRadius="92%"
            isAnimationActive={false}
            stroke={colourVar('panel')}
          >
            {slices.map(({ id }) => (
              <Cell key={id} fill={colourVar(colours[id] ?? 'chart.rest')} />
            ))}
          </Pie>
        </PieChart>
      </chakra.div>
      <chakra.ul
        listStyleType="none"
        flex={{ base: 'none', sm: '1.2' }}
        minW="0"
        width="full"
        maxH="full"
        overflowY="auto"
        textStyle="xs"
        alignSelf="center"
      >
        {parts.map(({ series: one, value, share }) => (
          <chakra.li key={one.id} display="flex" alignItems="center" gap="2" minH="6">
            <chakra.span boxSize="2.5" borderRadius="xs" bg={colours[one.id] ?? 'chart.rest'} flexShrink="0" />
            <chakra.button
              type="button"
              flex="1"
              minW="0"
              textAlign="start"
              overflow="hidden"
              textOverflow="ellipsis"
              whiteSpace="nowrap"
              color="text"
              borderRadius="xs"
              focusVisibleRing="inside"
              data-hint={one.label}
              {...(onPick === undefined ? { disabled: true } : { cursor: 'pointer', _hover: { textDecoration: 'underline' } })}
              onClick={() => onPick?.(undefined, one)}
            >
              {one.label}
            </chakra.button>
            <chakra.span fontVariantNumeric="tabular-nums" color="text.muted">
              {textOf(value)}
            </chakra.span>
            <chakra.span fontVariantNumeric="tabular-nums" color="text.strong" fontWeight="medium" minW="3.25rem" textAlign="end">
              {shareText(share)}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
    </Flex>
  )
}
