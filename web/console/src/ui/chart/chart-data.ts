import type { ChartPoint, ChartSeries } from './chart-props.ts'

/** The colour of a series: its place among those that have a colour of their own. */
export function colourOf(series: readonly ChartSeries[], { id, isRest, isBefore }: ChartSeries): string {
  if (isRest === true || isBefore === true) return 'chart.rest'
  const place = series.filter((one) => one.isRest !== true && one.isBefore !== true).findIndex((one) => one.id === id)
  return `chart.${(place % MAX_COLOURS) + 1}`
}

/** Colours that the colour-blind can tell apart; further series are folded together. */
export const MAX_COLOURS = 7

/** The sum of a series over all points. */
export function totalOf(points: readonly ChartPoint[], id: string): number {
  return points.reduce((sum, { values }) => sum + (values[id] ?? 0), 0)
}

/** True if there is anything to draw. */
export function isEmptyChart(series: readonly ChartSeries[], points: readonly ChartPoint[]): boolean {
  return !points.some(({ values }) => series.some(({ id }) => (values[id] ?? 0) !== 0))
}

/** The parts of a whole, largest first. */
export function sharesOf(series: readonly ChartSeries[], points: readonly ChartPoint[]) {
  const parts = series
    .filter(({ isBefore }) => isBefore !== true)
    .map((one) => ({ series: one, value: Math.max(0, totalOf(points, one.id)) }))
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  return parts.map((part) => ({ ...part, share: whole === 0 ? 0 : part.value / whole })).sort((a, b) => b.value - a.value)
}

/** A share as people read it: `12.3%`, and `< 0.1%` rather than nothing. */
export function shareText(share: number): string {
  return share > 0 && share < 0.001 ? '< 0.1%' : `${(share * 100).toFixed(1)}%`
}

const STEPS = [1, 2, 2.5, 5, 10] as const
const TICKS = 4

/** The places of an axis from zero to above the largest value, with round steps in `unit`; empty while there is nothing above zero. */
export function roundTicks(largest: number, unit = 1): readonly number[] {
  if (!(largest > 0)) return []
  const rough = largest / unit / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((one) => one * power >= rough * (1 - 1e-9)) ?? 10) * power
  const count = Math.ceil(largest / unit / step - 1e-9)
  // Twelve digits hide what binary fractions add.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step * unit).toPrecision(12)))
}

/** The largest value of a chart: of a stack the sum of its series. */
export function largestOf(series: readonly ChartSeries[], points: readonly ChartPoint[], isStacked: boolean): number {
  const values = points.map((point) => series.map(({ id }) => point.values[id] ?? 0))
  return Math.max(0, ...values.map((row) => (isStacked ? row.reduce((sum, value) => sum + value, 0) : Math.max(0, ...row))))
}

/**
 * A row of a line chart: open points are taken out of the line `id` and put, with the point before, into the line `id` + OPEN, which is
 * drawn dashed.
 */
export function lineValues(points: readonly ChartPoint[], index: number, series: readonly ChartSeries[]): ChartPoint['values'] {
  const point = points[index]
  if (point === undefined) return {}
  const isBeforeOpen = points[index + 1]?.isOpen === true
  return Object.fromEntries(
    series.flatMap(({ id, isBefore }) => {
      const value = point.values[id]
      if (isBefore === true) return [[id, value]]
      return [
        [id, point.isOpen === true ? undefined : value],
        [`${id}${OPEN}`, point.isOpen === true || isBeforeOpen ? value : undefined],
      ]
    }),
  )
}

export const OPEN = '~open'

/** True if a line has nothing to draw for this value, because there is none beside it. */
export function isAlone(rows: readonly Readonly<Record<string, unknown>>[], index: number, id: string): boolean {
  const hasValue = (at: number): boolean => rows[at]?.[id] !== undefined
  return hasValue(index) && !hasValue(index - 1) && !hasValue(index + 1)
}

const PATH_DECIMALS = 1

/** The line of a row of values in a box, as the `d` of a path; a flat row is a line in the middle. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return ''
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const at = (value: number, index: number): string => {
    const x = (index / (values.length - 1)) * width
    const y = span === 0 ? height / 2 : height - ((value - low) / span) * height
    return `${x.toFixed(PATH_DECIMALS)} ${y.toFixed(PATH_DECIMALS)}`
  }
  return `M${values.map(at).join('L')}`
}
