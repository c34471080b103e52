import { chakra, Table } from '@chakra-ui/react'
import type { ReactNode } from 'react'

export type FactColumn<Row> = {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'start' | 'end'
}

type FactTableProps<Row> = {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly FactColumn<Row>[]
  readonly idOf: (row: Row) => string
  /** Makes rows clickable; a cell must hold a button for the keyboard. */
  readonly onRow?: (row: Row) => void
}

/** Shadows at the sides where more can be scrolled into view: the covers, of the colour behind the table, move with it, the shadows stay. */
const SCROLL_SHADOWS = {
  backgroundImage: [
    'linear-gradient(to right, var(--surface, {colors.panel}) 40%, transparent)',
    'linear-gradient(to left, var(--surface, {colors.panel}) 40%, transparent)',
    'linear-gradient(to right, {colors.border.strong}, transparent)',
    'linear-gradient(to left, {colors.border.strong}, transparent)',
  ].join(', '),
  backgroundPosition: 'left, right, left, right',
  backgroundSize: '2.5rem 100%, 2.5rem 100%, 0.875rem 100%, 0.875rem 100%',
  backgroundRepeat: 'no-repeat',
  backgroundAttachment: 'local, local, scroll, scroll',
}

/** A short table inside a panel; narrow windows scroll it. */
export function FactTable<Row>({ label, rows, columns, idOf, onRow }: FactTableProps<Row>): ReactNode {
  return (
    <chakra.div overflowX="auto" css={SCROLL_SHADOWS} tabIndex={0} role="group" aria-label={label} focusVisibleRing="inside">
      <Table.Root size="sm" interactive={onRow !== undefined}>
        <Table.Header>
          <Table.Row>
            {columns.map(({ id, header, align = 'start' }) => (
              <Table.ColumnHeader key={id} textAlign={align} whiteSpace="nowrap">
                {header}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={idOf(row)} {...(onRow === undefined ? {} : { cursor: 'pointer', onClick: () => onRow(row) })}>
              {columns.map(({ id, cell, align = 'start' }) => (
                <Table.Cell
                  key={id}
                  textAlign={align}
                  whiteSpace="nowrap"
                  {...(align === 'end' ? { fontVariantNumeric: 'lining-nums tabular-nums' } : {})}
                >
                  {cell(row)}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </chakra.div>
  )
}
