import { chakra, Table } from '@chakra-ui/react'
import { type CSSProperties, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStored } from '../../lib/storage.ts'
import { CheckBox } from '../form/check-box.tsx'
import { ErrorState } from '../page/states.tsx'
import { useNarrow } from '../page/use-narrow.ts'
import { CELL_PADDING_PX, ColumnHead, STUCK } from './column-head.tsx'
import { selectedRows, type ListRow } from './list-table.ts'
import { RowCards } from './row-cards.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import type { Column } from './table-columns.ts'
import { opening, shownColumns, type DataTableProps } from './table-props.ts'
import { useScrollEdges } from './use-scroll-edges.ts'

/** The list of a page: a table on wide windows, two-line cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const isNarrow = useNarrow()
  const { error, table, isPending } = props
  const isFailed = error !== undefined && isPending
  const isEmpty = !isPending && table.getRowModel().rows.length === 0
  const selected = selectedRows(table)
  const count = props.countOf?.(selected) ?? selected.length
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      bg="panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      overflow="hidden"
      position="relative"
    >
      {isFailed ? <ErrorState message={error} onRetry={props.onRetry} /> : null}
      {isEmpty ? props.empty : null}
      {isEmpty || isFailed ? null : isNarrow ? <RowCards {...props} /> : <WideTable {...props} />}
      {props.footer}
      {props.batch !== undefined && count > 0 ? (
        <SelectionBar count={count} onClear={() => table.resetRowSelection(true)}>
          {props.batch}
        </SelectionBar>
      ) : null}
    </chakra.div>
  )
}

/** Cells that scroll under a sticky column fade out before it. */
const FADE = {
  content: '""',
  position: 'absolute',
  top: '0',
  bottom: '0',
  insetStart: '-2',
  width: '2',
  pointerEvents: 'none',
  bg: 'linear-gradient(to right, transparent, var(--row-bg))',
} as const

/** The colour of a row's cells, for the sticky one that must hide what scrolls under it. */
const ROW_COLOUR = {
  '--row-bg': 'colors.panel',
  _hover: { '--row-bg': 'colors.subtle' },
  _selected: { '--row-bg': 'colors.accent.subtle' },
} as const

/** Shows that there is more beyond an edge (`useScrollEdges`). */
const EDGES = {
  '&::before, &::after': {
    content: '""',
    position: 'absolute',
    top: '0',
    bottom: '0',
    width: '3',
    opacity: '0',
    pointerEvents: 'none',
    transitionProperty: 'opacity',
    transitionDuration: 'fast',
    zIndex: 'calc({zIndex.sticky} + 2)',
  },
  '&::before': { insetStart: '0', bg: 'linear-gradient(to right, {colors.border.strong}, transparent)' },
  '&::after': { insetEnd: '0', bg: 'linear-gradient(to left, {colors.border.strong}, transparent)' },
  '&[data-more-start]::before': { opacity: '0.5' },
  '&[data-more-end]::after': { opacity: '0.5' },
} as const

function WideTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { table, isPending, batch } = props
  const isCompact = useStored('table-density') === 'compact'
  const edges = useScrollEdges()
  const columns = shownColumns(props)
  return (
    <chakra.div position="relative" display="flex" minH="0" css={EDGES}>
      <chakra.div
        ref={edges}
        overflow="auto"
        minH="0"
        maxH="max(22rem, calc(100dvh - 17rem))"
        flex="1"
        tabIndex={0}
        role="region"
        aria-label={props.label}
        focusVisibleRing="inside"
      >
        <Table.Root size={isCompact ? 'sm' : 'md'} stickyHeader interactive aria-busy={isPending || props.isRefetching}>
          <Table.Header>
            <Table.Row>
              {batch === undefined ? null : <SelectAll {...props} />}
              {columns.map((column) => (
                <ColumnHead key={column.id} column={column} table={table} isPart={props.isPart} />
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body opacity={props.isRefetching ? '0.55' : '1'} transition="opacity 120ms">
            {isPending ? <SkeletonRows columns={columns.length + (batch === undefined ? 0 : 1)} /> : null}
            {table.getRowModel().rows.map((row) => (
              <WideRow key={row.id} row={row} shown={columns} {...props} />
            ))}
          </Table.Body>
        </Table.Root>
      </chakra.div>
    </chakra.div>
  )
}

function SelectAll<Row>({ table }: DataTableProps<Row>): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Table.ColumnHeader width="9" pe="0">
      <CheckBox
        label={t('action.select-all')}
        isChecked={table.getIsAllPageRowsSelected()}
        isPartly={table.getIsSomePageRowsSelected()}
        onChange={() => table.toggleAllPageRowsSelected()}
      />
    </Table.ColumnHeader>
  )
}

type RowProps<Row> = DataTableProps<Row> & { readonly row: ListRow<Row>; readonly shown: readonly Column<Row>[] }

function WideRow<Row>({ row, shown, table, batch, nameOf, onOpen, openId }: RowProps<Row>): ReactNode {
  const { t } = useTranslation('display')
  const [isSelected, isOpen] = [row.getIsSelected(), row.id === String(openId)]
  const open = onOpen === undefined ? {} : { ...opening(() => onOpen(row.original)), focusVisibleRing: 'inside' as const }
  return (
    <Table.Row css={ROW_COLOUR} {...(isSelected || isOpen ? { 'data-selected': '' } : {})} {...open}>
      {batch === undefined ? null : (
        <Table.Cell ps="3" pe="0">
          {row.getCanSelect() ? (
            <CheckBox
              label={t('action.select-row', { name: nameOf(row.original) })}
              isChecked={isSelected}
              onChange={() => row.toggleSelected()}
            />
          ) : null}
        </Table.Cell>
      )}
      {shown.map((column) => (
        <Table.Cell
          key={column.id}
          textAlign={column.align ?? 'start'}
          {...(column.align === 'end' ? { fontVariantNumeric: 'lining-nums tabular-nums' } : {})}
          whiteSpace={column.isWrapped === true ? 'normal' : 'nowrap'}
          px="2"
          _first={{ ps: '3' }}
          _last={{ pe: '3' }}
          {...(column.isSticky === undefined
            ? {}
            : { position: 'sticky', bg: 'var(--row-bg)', zIndex: '1', _before: FADE, ...STUCK[column.isSticky] })}
        >
          <Sized width={table.state.columnSizing[column.id]} name={column.id}>
            {column.cell(row.original)}
          </Sized>
        </Table.Cell>
      ))}
    </Table.Row>
  )
}

/** The content of a cell whose column the reader has made narrower or wider. */
function Sized({ width, name, children }: { width: number | undefined; name: string; children: ReactNode }): ReactNode {
  if (width === undefined) return children
  // While the reader drags, `ColumnHead` moves the variable and nothing renders.
  const style: CSSProperties & Record<'--cut-width', string> = {
    width: `var(--width-${name}, ${width - CELL_PADDING_PX}px)`,
    '--cut-width': '100%',
  }
  return (
    <chakra.div overflow="hidden" textOverflow="ellipsis" style={style}>
      {children}
    </chakra.div>
  )
}
