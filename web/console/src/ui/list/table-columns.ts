import type { ReactNode } from 'react'

/** One column of a list, as data. Texts are translated where the columns are made. */
export type Column<Row> = {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Its value in a file; columns without one are left out there. */
  readonly text?: (row: Row) => string | number
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
}

export type ColumnChoice = Readonly<Record<string, boolean>>

/** The columns to show: the reader's choice, else the default. */
export function shownColumns<Row>(columns: readonly Column<Row>[], choice: ColumnChoice | undefined): readonly Column<Row>[] {
  return columns.filter((column) => isShown(column, choice))
}

/** Whether a column is shown under a choice. */
export function isShown<Row>(column: Column<Row>, choice: ColumnChoice | undefined): boolean {
  if (column.isFixed === true) return true
  return choice?.[column.id] ?? column.isOptional !== true
}

/** The selection after a click on a row's box, on the box of all, and what is left of it when rows went. */
export function toggled(selection: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(selection)
  if (!next.delete(id)) next.add(id)
  return next
}

export function toggledAll(selection: ReadonlySet<number>, ids: readonly number[]): ReadonlySet<number> {
  return ids.every((id) => selection.has(id)) ? new Set([...selection].filter((id) => !ids.includes(id))) : new Set([...selection, ...ids])
}
