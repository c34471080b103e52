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

/** Whether there is anything to draw. */
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
