import { chakra, Table } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../list/table-columns.ts'
import { shareText, sharesOf } from './chart-data.ts'
import type { ChartData, ChartPoint } from './chart-props.ts'

type Row = { readonly key: string; readonly name: string; readonly cells: readonly string[]; readonly numbers: readonly number[] }

/** A chart's data as columns of rows: the table view and the file are made from it. */
export function useChartColumns({ kind, series, points, textOf }: ChartData, pointHeader: string) {
  const { t } = useTranslation('display')
  if (kind === 'share') {
    const rows = sharesOf(series, points).map(({ series: { id, label }, value, share }): Row => ({
      key: id,
      name: label,
      cells: [textOf(value), shareText(share)],
      numbers: [value, Number(share.toFixed(4))],
    }))
    return { headers: [t('chart.series'), t('chart.value'), t('chart.share')], rows }
  }
  const rows = points.map((point): Row => ({
    key: point.key,
    name: point.isOpen === true ? t('chart.so-far', { name: point.name }) : point.name,
    cells: series.map(({ id }) => textOfValue(point, id, textOf)),
    numbers: series.map(({ id }) => point.values[id] ?? 0),
  }))
  return { headers: [pointHeader, ...series.map(({ label }) => label)], rows }
}

const textOfValue = (point: ChartPoint, id: string, textOf: (value: number) => string): string => {
  const value = point.values[id]
  return value === undefined ? '–' : textOf(value)
}

type Columns = ReturnType<typeof useChartColumns>

/** The columns of the file: plain numbers, so that a spreadsheet can go on computing. */
export function fileColumns({ headers }: Columns): readonly Column<Row>[] {
  return headers.map((header, index) => ({
    id: String(index),
    header,
    cell: () => null,
    text: (row: Row) => (index === 0 ? row.name : (row.numbers[index - 1] ?? 0)),
  }))
}

/** The chart as a table; a row opens what is behind its point. */
export function ChartTable({ data, columns, label }: { data: ChartData; columns: Columns; label: string }): ReactNode {
  const { onPick } = data
  const pick = (key: string): void =>
    data.kind === 'share'
      ? onPick?.(
          undefined,
          data.series.find(({ id }) => id === key),
        )
      : onPick?.(
          data.points.find((point) => point.key === key),
          undefined,
        )
  return (
    <chakra.div overflow="auto" height="full" tabIndex={0} role="region" aria-label={label} focusVisibleRing="inside">
      <Table.Root size="sm" stickyHeader interactive>
        <Table.Header>
          <Table.Row>
            {columns.headers.map((header, index) => (
              <Table.ColumnHeader key={header} textAlign={index === 0 ? 'start' : 'end'} whiteSpace="nowrap">
                {header}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {columns.rows.map((row) => (
            <Table.Row key={row.key}>
              <Table.Cell whiteSpace="nowrap">
                {onPick === undefined ? (
                  row.name
                ) : (
                  <chakra.button
                    type="button"
                    color="accent.fg"
                    cursor="pointer"
                    borderRadius="xs"
                    focusVisibleRing="outside"
                    _hover={{ textDecoration: 'underline' }}
                    onClick={() => pick(row.key)}
                  >
                    {row.name}
                  </chakra.button>
                )}
              </Table.Cell>
              {row.cells.map((text, index) => (
                <Table.Cell
                  key={columns.headers[index + 1]}
                  textAlign="end"
                  whiteSpace="nowrap"
                  fontVariantNumeric="lining-nums tabular-nums"
                >
                  {text}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </chakra.div>
  )
}
