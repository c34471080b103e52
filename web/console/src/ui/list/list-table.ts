import {
  columnSizingFeature,
  columnVisibilityFeature,
  createPaginatedRowModel,
  createSortedRowModel,
  functionalUpdate,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type ReactTable,
  type Row as TableRow,
  type RowSelectionState,
  type SortingState,
} from '@tanstack/react-table'
import { useState } from 'react'
import { storage, useStored, type TableLayout } from '../../lib/storage.ts'
import { usePageSize } from './page-size.ts'
import { canSort, sortValue, visibilityOf, type Column } from './table-columns.ts'
import type { ListResult } from './use-list.ts'

const features = tableFeatures({
  columnSizingFeature,
  columnVisibilityFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
})

export type ListTable<Row> = ReactTable<typeof features, Row & object>
export type ListRow<Row> = TableRow<typeof features, Row & object>

type ListTableInput<Row> = {
  /** Name under which its layout is remembered. */
  readonly name: string
  readonly list: ListResult<Row>
  readonly columns: readonly Column<Row>[]
  readonly idOf: (row: Row) => number
  readonly page: number
  readonly sort: string | undefined
  readonly isSortable: boolean
  readonly onSort: (sort: string | undefined) => void
  /** Whatever changes what the rows are; the selection ends with it. */
  readonly selectionKey: string
  /** Absent: rows of one thing each, which have positive ids. */
  readonly canSelect?: ((row: Row) => boolean) | undefined
}

const NONE: never[] = []

/** The model of a list: which columns show and how wide, the order of the rows, the page of a list that is here as a whole, the selection. */
export function useListTable<Row extends object>(input: ListTableInput<Row>): ListTable<Row> {
  const { name, list, columns, idOf, page, sort, onSort } = input
  const layout = useStored('table-layouts')?.[name] ?? {}
  const pageSize = usePageSize()
  const [selection, setSelection] = useSelection(input.selectionKey)
  const sorting = input.isSortable ? toSorting(sort, columns) : NONE
  return useTable({
    features,
    data: list.rows ?? NONE,
    columns: columns.map(toColumnDef),
    getRowId: (row) => String(idOf(row)),
    enableRowSelection: ({ original }) => input.canSelect?.(original) ?? idOf(original) > 0,
    manualPagination: list.isWhole !== true,
    autoResetPageIndex: false,
    enableMultiSort: false,
    enableSorting: input.isSortable,
    state: {
      columnVisibility: visibilityOf(columns, layout.shown),
      columnSizing: layout.widths ?? {},
      pagination: { pageIndex: page - 1, pageSize },
      rowSelection: selection,
      sorting,
    },
    onColumnSizingChange: (change) => setLayout(name, { ...layout, widths: functionalUpdate(change, layout.widths ?? {}) }),
    onColumnVisibilityChange: (change) =>
      setLayout(name, { ...layout, shown: functionalUpdate(change, visibilityOf(columns, layout.shown)) }),
    onRowSelectionChange: (change) => setSelection(functionalUpdate(change, selection)),
    onSortingChange: (change) => onSort(fromSorting(functionalUpdate(change, sorting))),
  })
}

/** The rows that are shown and selected: a batch action never reaches a row that is out of sight. */
export function selectedRows<Row>(table: ListTable<Row>): readonly Row[] {
  return table
    .getRowModel()
    .rows.filter((row) => row.getIsSelected())
    .map(({ original }) => original)
}

/** Forgets which columns show and how wide they are. */
export function resetLayout(name: string): void {
  setLayout(name, {})
}

function setLayout(name: string, layout: TableLayout): void {
  storage.set('table-layouts', { ...storage.get('table-layouts'), [name]: layout })
}

function useSelection(key: string) {
  const [kept, setKept] = useState<{ readonly key: string; readonly rows: RowSelectionState }>({ key, rows: {} })
  return [kept.key === key ? kept.rows : {}, (rows: RowSelectionState) => setKept({ key, rows })] as const
}

function toColumnDef<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  const { id } = column
  const value = sortValue(column)
  // The server has put the rows into order: comparing them as equal keeps it.
  if (value === undefined) return { id, accessorFn: () => '', enableSorting: canSort(column), sortFn: () => 0 }
  return { id, accessorFn: value, sortFn: (one, other) => compare(one.getValue(id), other.getValue(id)) }
}

/** Numbers by size, texts as the reader's language sorts them, digits in them by their value. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), undefined, { numeric: true })
}

/** `-quota`: by quota, largest first. */
function toSorting<Row>(sort: string | undefined, columns: readonly Column<Row>[]): SortingState {
  const desc = sort?.startsWith('-') === true
  const id = desc ? sort?.slice(1) : sort
  const column = columns.find((one) => one.id === id)
  return column === undefined || !canSort(column) ? [] : [{ id: column.id, desc }]
}

function fromSorting([first]: SortingState): string | undefined {
  return first === undefined ? undefined : `${first.desc ? '-' : ''}${first.id}`
}
