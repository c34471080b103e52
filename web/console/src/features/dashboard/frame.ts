import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Period, Range, Unit } from './search.ts'

/** Range of the charts: the period, the length of a point, and the reader's time zone in seconds east of UTC. */
export type Frame = {
  readonly period: Period
  readonly unit: Unit
  readonly timezone: number
  /** When the page was opened. */
  readonly now: UnixSeconds
  /** The name of the period. */
  readonly range: Range | 'custom'
}

/** Filters with which the log is opened. */
export type LogLink = {
  readonly start: number
  readonly end: number
  readonly model_name?: string
  readonly username?: string
  readonly token_name?: string
  readonly channel?: number
  readonly group?: string
}
