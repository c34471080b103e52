import { Button, Text } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { atLeast } from '@tollgate/domain/display/count-text'
import { Page } from '../page/page.tsx'
import { EmptyState } from '../page/states.tsx'
import { DataTable } from './data-table.tsx'
import { Filters, type Filter } from './filters.tsx'
import { selectedRows, useListTable } from './list-table.ts'
import { ListTools } from './list-tools.tsx'
import { Pager } from './pager.tsx'
import type { Column } from './table-columns.ts'
import type { ListResult } from './use-list.ts'

export type Selected<Row> = { readonly rows: readonly Row[]; readonly clear: () => void }

type ListSearch = { readonly page?: number | undefined; readonly sort?: string | undefined }

type ResourceListProps<Row, Search> = {
  /** Name under which its layout is remembered. */
  readonly name: string
  readonly title: string
  readonly list: ListResult<Row>
  readonly columns: readonly Column<Row>[]
  readonly filters: readonly Filter[]
  readonly search: Search
  readonly onSearch: (search: Search) => void
  readonly idOf: (row: Row) => number
  readonly nameOf: (row: Row) => string
  readonly empty: { readonly title: string; readonly help: string; readonly icon: ReactNode }
  /** The one primary action of the page. */
  readonly create?: { readonly label: string; readonly run: () => void }
  /** Quiet actions before it. */
  readonly actions?: (selected: Selected<Row>) => ReactNode
  /** With these, rows can be selected. */
  readonly batch?: (selected: Selected<Row>) => ReactNode
  readonly canSelect?: (row: Row) => boolean
  /** How many things the selected rows are, where a row can be several. */
  readonly countOf?: (rows: readonly Row[]) => number
  readonly onOpen?: (row: Row) => void
  readonly openId?: number | undefined
  /** New rows arrive by themselves when the reader asks for it. */
  readonly canFollow?: boolean
  /** Not where the order of the rows means something. */
  readonly isSortable?: boolean
  /** How many the server pages by on this page, where that is not the rows. */
  readonly pageCount?: number | undefined
  /** Between title and filters. */
  readonly lead?: ReactNode
  /** Between filters and rows: what the list does not have. */
  readonly notice?: ReactNode
  /** Drawers and dialogs of the page. */
  readonly children?: ReactNode
}

/** A list as a page: title, actions, filters, table or cards, pager, and every state that a list can be in. */
export function ResourceList<Row extends object, Search extends ListSearch>(props: ResourceListProps<Row, Search>): ReactNode {
  const { name, list, columns, search, onSearch, idOf, create } = props
  const { t } = useTranslation('display')
  const page = search.page ?? 1
  const table = useListTable({
    name,
    list,
    columns,
    idOf,
    page,
    sort: search.sort,
    isSortable: props.isSortable !== false,
    onSort: (sort) => onSearch({ ...search, sort, page: undefined }),
    canSelect: props.canSelect,
    selectionKey: JSON.stringify([page, search.sort, ...valuesOf(props.filters, search)]),
  })
  const selected = { rows: selectedRows(table), clear: () => table.resetRowSelection(true) }
  const createButton =
    create === undefined ? null : (
      <Button onClick={create.run}>
        <Plus />
        {create.label}
      </Button>
    )
  const isFiltered = valuesOf(props.filters, search).some((value) => value !== undefined)
  const batch = props.batch?.(selected)
  return (
    <Page
      title={props.title}
      count={list.isTotalCapped === true && list.total !== undefined ? atLeast(list.total) : list.total}
      action={
        <>
          {props.actions?.(selected)}
          {createButton}
        </>
      }
    >
      {props.lead}
      <Filters
        filters={props.filters}
        search={search}
        onSearch={onSearch}
        settings={<ListTools name={name} list={list} table={table} columns={columns} canFollow={props.canFollow === true} />}
      />
      <Notes notes={list.notes}>{props.notice}</Notes>
      <DataTable
        label={props.title}
        columns={columns}
        table={table}
        countOf={props.countOf}
        isPending={list.rows === undefined}
        isPart={list.isWhole !== true && list.total !== list.rows?.length}
        nameOf={props.nameOf}
        error={list.error}
        onRetry={list.refresh}
        isRefetching={list.isRefetching}
        empty={
          isFiltered ? (
            <EmptyState title={t('table.empty')} help={props.notice === undefined ? t('table.empty-help') : ''} />
          ) : (
            <EmptyState {...props.empty}>{createButton}</EmptyState>
          )
        }
        footer={
          <Pager
            page={page}
            rows={props.pageCount ?? table.getRowModel().rows.length}
            total={list.total}
            isTotalCapped={list.isTotalCapped}
            onPage={(page) => onSearch({ ...search, page })}
          />
        }
        onOpen={props.onOpen}
        openId={props.openId}
        batch={batch}
      />
      {props.children}
    </Page>
  )
}

/** The address's parameters for the filters; a custom one counts by its owner's rules. */
function valuesOf(filters: readonly Filter[], search: object): readonly unknown[] {
  const values = new Map<string, unknown>(Object.entries(search))
  return filters.filter(({ kind }) => kind !== 'custom').map(({ name }) => values.get(name))
}

/** The server's answer about the rows. */
function Notes({ notes = [], children }: Pick<ListResult<unknown>, 'notes'> & { readonly children: ReactNode }): ReactNode {
  return (
    <>
      {notes.map((note) => (
        <Text key={note} role="status" textStyle="sm" color="text.muted">
          {note}
        </Text>
      ))}
      {children}
    </>
  )
}
