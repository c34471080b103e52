import { chakra, Table } from '@chakra-ui/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { PointerEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { ListTable } from './list-table.ts'
import type { Column } from './table-columns.ts'

export const STUCK = { start: { insetStart: '0' }, end: { insetEnd: '0' } } as const

const SORTED = { asc: 'ascending', desc: 'descending' } as const

type HeadProps<Row> = { readonly column: Column<Row>; readonly table: ListTable<Row>; readonly isPart: boolean }

/** The head of a column: sorts, and is made wider or narrower at its edge. */
export function ColumnHead<Row>({ column, table, isPart }: HeadProps<Row>): ReactNode {
  const model = table.getColumn(column.id)
  const width = table.state.columnSizing[column.id]
  const order = model?.getIsSorted() ?? false
  const fixed = width === undefined ? column.width : `${width}px`
  return (
    <Table.ColumnHeader
      textAlign={column.align ?? 'start'}
      px="2"
      _first={{ ps: '3' }}
      _last={{ pe: '3' }}
      {...(fixed === undefined ? {} : { width: fixed })}
      {...(order === false ? {} : { 'aria-sort': SORTED[order] })}
      {...(column.isSticky === undefined ? {} : { ...STUCK[column.isSticky], zIndex: 'calc({zIndex.sticky} + 1)' })}
      css={{ '&:hover [data-edge]': { opacity: '1' } }}
    >
      {model?.getCanSort() === true ? (
        <SortButton column={column} order={order} isPart={isPart} onSort={() => model.toggleSorting()} />
      ) : (
        column.header
      )}
      {column.isSticky === undefined ? <Edge column={column} table={table} /> : null}
    </Table.ColumnHeader>
  )
}

type SortProps<Row> = {
  readonly column: Column<Row>
  readonly order: 'asc' | 'desc' | false
  readonly isPart: boolean
  readonly onSort: () => void
}

function SortButton<Row>({ column, order, isPart, onSort }: SortProps<Row>): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.button
      type="button"
      display="inline-flex"
      alignItems="center"
      gap="1"
      mx="-1"
      px="1"
      minH="6"
      borderRadius="sm"
      cursor="pointer"
      font="inherit"
      color={order === false ? 'inherit' : 'text.strong'}
      flexDirection={column.align === 'end' ? 'row-reverse' : 'row'}
      focusVisibleRing="inside"
      _hover={{ color: 'text.strong', bg: 'emphasized' }}
      {...(isPart && column.sort !== 'server' ? { 'data-hint': t('table.sort-page') } : {})}
      onClick={onSort}
    >
      {column.header}
      {order === false ? null : order === 'asc' ? <ArrowUp size={12} aria-hidden /> : <ArrowDown size={12} aria-hidden />}
    </chakra.button>
  )
}

const NARROWEST_PX = 48

/** The edge between two heads: drag to size the column before it, double-click to let it size itself. */
function Edge<Row>({ column: { id }, table }: Pick<HeadProps<Row>, 'column' | 'table'>): ReactNode {
  const resize = (event: PointerEvent<HTMLElement>): void => {
    const edge = event.currentTarget
    const head = edge.parentElement
    const root = edge.closest('table')
    if (head === null || root === null || event.button !== 0) return
    event.preventDefault()
    const [start, from] = [head.offsetWidth, event.clientX]
    const widthAt = (x: number): number => Math.max(NARROWEST_PX, Math.round(start + x - from))
    let width = start
    // Now, so that the cells follow the variable while it moves.
    flushSync(() => table.setColumnSizing((before) => ({ ...before, [id]: start })))
    edge.setPointerCapture(event.pointerId)
    const move = ({ clientX }: { readonly clientX: number }): void => {
      width = widthAt(clientX)
      head.style.width = `${width}px`
      root.style.setProperty(`--width-${id}`, `${width - CELL_PADDING_PX}px`)
    }
    const stop = (): void => {
      edge.removeEventListener('pointermove', move)
      root.style.removeProperty(`--width-${id}`)
      table.setColumnSizing((before) => ({ ...before, [id]: width }))
    }
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', stop, { once: true })
  }
  const release = (): void => table.setColumnSizing(({ [id]: _gone, ...rest }) => rest)
  return (
    <chakra.span
      data-edge=""
      aria-hidden
      position="absolute"
      insetEnd="0"
      top="1.5"
      bottom="1.5"
      width="2"
      cursor="col-resize"
      opacity="0"
      borderEndWidth="2px"
      borderColor="border.strong"
      touchAction="none"
      _hover={{ borderColor: 'accent.solid' }}
      onPointerDown={resize}
      onDoubleClick={release}
    />
  )
}

/** Props of a cell besides its content. */
export const CELL_PADDING_PX = 16
