import { Skeleton, Table } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const WIDTHS = ['60%', '80%', '45%', '70%', '55%']

/** Rows of the height that real ones will have, so that nothing moves when they come. */
export function SkeletonRows({ columns, rows = 10 }: { columns: number; rows?: number }): ReactNode {
  return Array.from({ length: rows }, (_row, row) => (
    <Table.Row key={row}>
      {Array.from({ length: columns }, (_column, column) => (
        <Table.Cell key={column}>
          <Skeleton height="3" width={WIDTHS[(row + column) % WIDTHS.length] ?? '60%'} />
        </Table.Cell>
      ))}
    </Table.Row>
  ))
}
