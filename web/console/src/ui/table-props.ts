import type { ReactNode } from 'react'
import type { Column, ColumnChoice } from './table-columns.ts'

export type Selection = {
  readonly ids: ReadonlySet<number>
  readonly onChange: (ids: ReadonlySet<number>) => void
  /** The batch actions, shown while something is selected. */
  readonly actions: ReactNode
}

export type DataTableProps<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly choice: ColumnChoice | undefined
  readonly rows: readonly Row[] | undefined
  /** Ids of rows; a row without one (a heading of a group) is negative and cannot be selected. */
  readonly idOf: (row: Row) => number
  readonly nameOf: (row: Row) => string
  readonly error?: string | undefined
  readonly onRetry: () => void
  readonly isRefetching: boolean
  readonly empty: ReactNode
  readonly selection?: Selection
  readonly onOpen?: (row: Row) => void
  readonly openId?: number | undefined
  readonly footer?: ReactNode
}

/** A click on a control inside the row is the control's, not the row's. */
export function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, label, [role="menuitem"], [data-hint][tabindex]') !== null
}
