import { chakra, Table } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStored } from '../../lib/storage.ts'
import { CheckBox } from '../form/check-box.tsx'
import { RowCards } from './row-cards.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { ErrorState } from '../page/states.tsx'
import { shownColumns, toggled, toggledAll } from './table-columns.ts'
import { opening, type DataTableProps } from './table-props.ts'
import { useNarrow } from '../page/use-narrow.ts'

/** The list of a page: a table on wide windows, two-line cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const isNarrow = useNarrow()
  const { rows, error, selection } = props
  const columns = shownColumns(props.columns, props.choice)
  const isEmpty = rows?.length === 0
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
      {error !== undefined && rows === undefined ? <ErrorState message={error} onRetry={props.onRetry} /> : null}
      {isEmpty ? props.empty : null}
      {isEmpty || (error !== undefined && rows === undefined) ? null : isNarrow ? (
        <RowCards {...props} columns={columns} />
      ) : (
        <WideTable {...props} columns={columns} />
      )}
      {props.footer}
      {selection !== undefined && selection.ids.size > 0 ? (
        <SelectionBar count={selection.ids.size} onClear={() => selection.onChange(new Set())}>
          {selection.actions}
        </SelectionBar>
      ) : null}
    </chakra.div>
  )
}

/** What scrolls under a sticky column fades out before it. */
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

const STUCK = { start: { insetStart: '0' }, end: { insetEnd: '0' } } as const

function WideTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { t } = useTranslation('display')
  const density = useStored('table-density')
  const { columns, rows, selection, idOf } = props
  const ids = (rows ?? []).map(idOf).filter((id) => id > 0)
  return (
    <chakra.div
      overflow="auto"
      minH="0"
      maxH="max(22rem, calc(100dvh - 17rem))"
      flex="1"
      tabIndex={0}
      role="region"
      aria-label={props.label}
      focusVisibleRing="inside"
    >
      <Table.Root size={density === 'compact' ? 'sm' : 'md'} stickyHeader interactive aria-busy={rows === undefined || props.isRefetching}>
        <Table.Header>
          <Table.Row>
            {selection === undefined ? null : (
              <Table.ColumnHeader width="9" pe="0">
                <CheckBox
                  label={t('action.select-all')}
                  isChecked={ids.length > 0 && ids.every((id) => selection.ids.has(id))}
                  isPartly={ids.some((id) => selection.ids.has(id))}
                  onChange={() => selection.onChange(toggledAll(selection.ids, ids))}
                />
              </Table.ColumnHeader>
            )}
            {columns.map((column) => (
              <Table.ColumnHeader
                key={column.id}
                textAlign={column.align ?? 'start'}
                px="2"
                _first={{ ps: '3' }}
                _last={{ pe: '3' }}
                {...(column.width === undefined ? {} : { width: column.width })}
                {...(column.isSticky === undefined ? {} : { ...STUCK[column.isSticky], zIndex: 'calc({zIndex.sticky} + 1)' })}
              >
                {column.header}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body opacity={props.isRefetching ? '0.55' : '1'} transition="opacity 120ms">
          {rows === undefined ? <SkeletonRows columns={columns.length + (selection === undefined ? 0 : 1)} /> : null}
          {rows?.map((row) => (
            <WideRow key={idOf(row)} row={row} {...props} />
          ))}
        </Table.Body>
      </Table.Root>
    </chakra.div>
  )
}

function WideRow<Row>({ row, columns, selection, idOf, nameOf, onOpen, openId }: DataTableProps<Row> & { row: Row }): ReactNode {
  const { t } = useTranslation('display')
  const id = idOf(row)
  const isSelected = selection?.ids.has(id) === true || openId === id
  const open = onOpen === undefined ? {} : { ...opening(() => onOpen(row)), focusVisibleRing: 'inside' as const }
  return (
    <Table.Row css={ROW_COLOUR} {...(isSelected ? { 'data-selected': '' } : {})} {...open}>
      {selection === undefined ? null : (
        <Table.Cell ps="3" pe="0">
          {id > 0 ? (
            <CheckBox
              label={t('action.select-row', { name: nameOf(row) })}
              isChecked={selection.ids.has(id)}
              onChange={() => selection.onChange(toggled(selection.ids, id))}
            />
          ) : null}
        </Table.Cell>
      )}
      {columns.map((column) => (
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
          {column.cell(row)}
        </Table.Cell>
      ))}
    </Table.Row>
  )
}
