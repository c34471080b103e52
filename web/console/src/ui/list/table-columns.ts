import type { ReactNode } from 'react'

/** One column of a list, as data. Texts are translated where the columns are made. */
export type Column<Row> = {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Its value in a file; columns without one are left out there. */
  readonly text?: (row: Row) => string | number
  /**
   * Value by which its head sorts the rows, where that is not `text`; `server`: by a request to the server (`search.sort`); `none`: not at
   * all.
   */
  readonly sort?: ((row: Row) => string | number) | 'server' | 'none'
  /** Numbers stand at the end. */
  readonly align?: 'end'
  readonly width?: string
  /** Not in the column dialog: the row cannot be read without it. */
  readonly isFixed?: boolean
  /** In the dialog, but hidden by default. */
  readonly isOptional?: boolean
  /** Stays in view while the others scroll sideways. */
  readonly isSticky?: 'start' | 'end'
  /** Its text takes several lines instead of widening the table. */
  readonly isWrapped?: boolean
  /** Its place on the two-line card of a phone; absent columns are left out there. */
  readonly card?: 'title' | 'status' | 'line' | 'actions'
  /** Left out of the card of a row that has nothing to show there. */
  readonly isAbsent?: (row: Row) => boolean
}

export type ColumnChoice = Readonly<Record<string, boolean>>

/** Which columns show: the reader's choice, else the default. */
export function visibilityOf<Row>(columns: readonly Column<Row>[], choice: ColumnChoice = {}): Record<string, boolean> {
  return Object.fromEntries(
    columns.map((column) => [column.id, column.isFixed === true || (choice[column.id] ?? column.isOptional !== true)]),
  )
}

/** Sort order of the rows on this side. */
export function sortValue<Row>({ sort, text }: Column<Row>): ((row: Row) => string | number) | undefined {
  return typeof sort === 'function' ? sort : sort === undefined ? text : undefined
}

export const canSort = <Row>(column: Column<Row>): boolean => column.sort === 'server' || sortValue(column) !== undefined
