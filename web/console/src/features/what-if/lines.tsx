import { Button, chakra, Table, Text } from '@chakra-ui/react'
import type { WhatIfLine } from '@tollgate/contracts/resources/what-if'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CutText } from '../../ui/display/number-text.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { measureOf, useMeasureText } from './measures.ts'

const COLUMNS = ['requests', 'failures', 'cost', 'revenue', 'margin', 'latency'] as const
type Column = (typeof COLUMNS)[number]
/** `change`: as the server orders them, largest change first. */
type Order = { readonly by: 'change' | 'name' | Column; readonly isUp: boolean }

type LinesProps = { readonly by: 'channels' | 'models' | 'users'; readonly lines: readonly WhatIfLine[]; readonly more: number }

/** Each channel, model or user: with the configuration, and as recorded under it. */
export function Lines({ by, lines, more }: LinesProps): ReactNode {
  const { t } = useTranslation('what-if')
  const [order, setOrder] = useState<Order>({ by: 'change', isUp: false })
  const sort = (column: Order['by']): void => setOrder({ by: column, isUp: order.by === column ? !order.isUp : column === 'name' })
  const shown = sorted(lines, by, order)
  return (
    <>
      <TableFrame label={t(`by.${by}`)}>
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              {(['name', ...COLUMNS] as const).map((column) => (
                <Table.ColumnHeader
                  key={column}
                  textAlign={column === 'name' ? 'start' : 'end'}
                  aria-sort={order.by === column ? (order.isUp ? 'ascending' : 'descending') : 'none'}
                >
                  <Button size="xs" variant="ghost" onClick={() => sort(column)}>
                    {column === 'name' ? t(`name.${by}`) : t(`measure.${column}`)}
                    {order.by === column ? <span aria-hidden>{order.isUp ? '↑' : '↓'}</span> : null}
                  </Button>
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {shown.map((line) => (
              <Table.Row key={`${line.id} ${line.name}`}>
                <Table.Cell whiteSpace="nowrap">
                  <CutText text={nameOf(line, by)} />
                </Table.Cell>
                {COLUMNS.map((column) => (
                  <Table.Cell key={column} textAlign="end" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
                    <Pair column={column} line={line} />
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </TableFrame>
      <Text textStyle="xs" color="text.muted" mt="2">
        {t('lines-help')} {more === 0 ? '' : t('more', { count: more })}
      </Text>
    </>
  )
}

const nameOf = ({ id, name }: WhatIfLine, by: LinesProps['by']): string => (by === 'channels' ? `#${id} ${name}` : name)

/** Failed calls are no requests of a channel, so its mean is of all it served. */
function valueOf(column: Column, line: WhatIfLine, when: 'before' | 'after'): number {
  const sums = line[when]
  return column === 'latency' && line.id !== 0 ? measureOf(column, { ...sums, failures: 0 }) : measureOf(column, sums)
}

function sorted(lines: readonly WhatIfLine[], by: LinesProps['by'], { by: column, isUp }: Order): readonly WhatIfLine[] {
  if (column === 'change') return lines
  const sign = isUp ? 1 : -1
  if (column === 'name') return lines.toSorted((a, b) => sign * nameOf(a, by).localeCompare(nameOf(b, by)))
  return lines.toSorted((a, b) => sign * (valueOf(column, a, 'after') - valueOf(column, b, 'after')))
}

function Pair({ column, line }: { readonly column: Column; readonly line: WhatIfLine }): ReactNode {
  const textOf = useMeasureText(column)
  const [before, after] = [valueOf(column, line, 'before'), valueOf(column, line, 'after')]
  if (before === after) return <chakra.span color="text.muted">{textOf(after)}</chakra.span>
  return (
    <>
      <chakra.div>{textOf(after)}</chakra.div>
      <chakra.div textStyle="xs" color="text.muted">
        {textOf(before)}
      </chakra.div>
    </>
  )
}
