import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
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

/** Opens a row by a click anywhere on it and by Enter while it has the focus; what is a control inside keeps its own meaning. */
export function opening(open: () => void) {
  return {
    tabIndex: 0,
    cursor: 'pointer',
    onClick: (event: MouseEvent<HTMLElement>): void => (isControl(event.target) ? undefined : open()),
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void =>
      event.key === 'Enter' && event.target === event.currentTarget ? open() : undefined,
  }
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, label, [role="menuitem"], [role="dialog"]') !== null
}
