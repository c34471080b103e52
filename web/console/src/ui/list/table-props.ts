import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import type { ListTable } from './list-table.ts'
import type { Column } from './table-columns.ts'

export type DataTableProps<Row> = {
  readonly label: string
  readonly table: ListTable<Row>
  readonly columns: readonly Column<Row>[]
  /** How many things the selected rows are; absent: as many as rows. */
  readonly countOf?: ((rows: readonly Row[]) => number) | undefined
  readonly isPending: boolean
  readonly nameOf: (row: Row) => string
  readonly error?: string | undefined
  readonly onRetry: () => void
  readonly isRefetching: boolean
  readonly empty: ReactNode
  /** Actions for the selected rows; without them rows cannot be selected. */
  readonly batch: ReactNode | undefined
  /** Sorting reaches the rows of this page only. */
  readonly isPart: boolean
  readonly onOpen?: ((row: Row) => void) | undefined
  readonly openId?: number | undefined
  readonly footer?: ReactNode
}

/** The columns that show, in their order. */
export function shownColumns<Row>({ table, columns }: Pick<DataTableProps<Row>, 'table' | 'columns'>): readonly Column<Row>[] {
  return columns.filter(({ id }) => table.getColumn(id)?.getIsVisible() === true)
}

/** Opens a row by a click anywhere on it and by Enter while it has the focus; what is a control inside keeps its own meaning. */
export function opening(open: () => void) {
  return {
    tabIndex: 0,
    cursor: 'pointer',
    onClick: (event: MouseEvent<HTMLElement>): void => (isControl(event.target) || isSelecting() ? undefined : open()),
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void =>
      event.key === 'Enter' && event.target === event.currentTarget ? open() : undefined,
  }
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, label, [role="menuitem"], [role="dialog"]') !== null
}

/** The click ended a selection of text, which is being copied. */
const isSelecting = (): boolean => window.getSelection()?.type === 'Range'
