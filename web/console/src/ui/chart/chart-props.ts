/** One line, colour or slice of a chart. */
export type ChartSeries = {
  readonly id: string
  readonly label: string
  /** The rest, which was folded together: grey. */
  readonly isRest?: boolean
  /** The period before, to compare with: dashed and grey. */
  readonly isBefore?: boolean
}

/** One place on the axis and its value in each series; a missing value is a gap. */
export type ChartPoint = {
  readonly key: string
  /** Short, below the axis. */
  readonly label: string
  /** Whole, in tooltip, table and file. */
  readonly name: string
  readonly values: Readonly<Record<string, number | undefined>>
  /** Its time has not ended: drawn lighter, and named as such. */
  readonly isOpen?: boolean
}

export type ChartKind = 'line' | 'bars' | 'share'

export type ChartData = {
  readonly kind: ChartKind
  readonly series: readonly ChartSeries[]
  readonly points: readonly ChartPoint[]
  /** How a value reads in tooltip and table. */
  readonly textOf: (value: number) => string
  /** How a value reads on the axis, where that is shorter. */
  readonly axisTextOf?: (value: number) => string
  /** The value that is written as 1 on the axis, so that its steps are round; absent: 1. */
  readonly axisUnit?: number
  /** Opens what is behind a point (or, in shares, behind a series). */
  readonly onPick?: ((point: ChartPoint | undefined, series: ChartSeries | undefined) => void) | undefined
}
