import { chakra, Skeleton } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckBox } from '../form/check-box.tsx'
import type { ListRow } from './list-table.ts'
import type { Column } from './table-columns.ts'
import { opening, shownColumns, type DataTableProps } from './table-props.ts'

/** The rows of a list on a phone: title and status on the first line, what matters on the second. */
export function RowCards<Row>(props: DataTableProps<Row>): ReactNode {
  const { table, isPending, isRefetching, label } = props
  return (
    <chakra.ul listStyleType="none" aria-label={label} opacity={isRefetching ? '0.55' : '1'} transition="opacity 120ms">
      {isPending
        ? Array.from({ length: 6 }, (_row, row) => (
            <chakra.li key={row} px="3" py="3" borderBottomWidth="1px" borderColor="border">
              <Skeleton height="3.5" width="60%" mb="2" />
              <Skeleton height="3" width="85%" />
            </chakra.li>
          ))
        : table.getRowModel().rows.map((row) => <Card key={row.id} row={row} {...props} />)}
    </chakra.ul>
  )
}

function Card<Row>(props: DataTableProps<Row> & { row: ListRow<Row> }): ReactNode {
  const { t } = useTranslation('display')
  const { row: model, batch, nameOf, onOpen } = props
  const row = model.original
  const columns = shownColumns(props)
  const at = (place: Column<Row>['card']): readonly Column<Row>[] =>
    columns.filter(({ card, isAbsent }) => card === place && isAbsent?.(row) !== true)
  const open = onOpen === undefined ? {} : { ...opening(() => onOpen(row)), focusVisibleRing: 'inside' as const }
  return (
    <chakra.li px="3" py="2.5" borderBottomWidth="1px" borderColor="border" _last={{ borderBottomWidth: '0' }} {...open}>
      <chakra.div display="flex" alignItems="center" gap="2" minH="6">
        {batch !== undefined && model.getCanSelect() ? (
          <CheckBox
            label={t('action.select-row', { name: nameOf(row) })}
            isChecked={model.getIsSelected()}
            onChange={() => model.toggleSelected()}
          />
        ) : null}
        <chakra.div flex="1" minW="0" color="text.strong" fontWeight="medium" textStyle="sm" overflow="hidden">
          {at('title').map((column) => (
            <chakra.div key={column.id}>{column.cell(row)}</chakra.div>
          ))}
        </chakra.div>
        {at('status').map((column) => (
          <chakra.div key={column.id} flexShrink="0">
            {column.cell(row)}
          </chakra.div>
        ))}
        {at('actions').map((column) => (
          <chakra.div key={column.id} flexShrink="0">
            {column.cell(row)}
          </chakra.div>
        ))}
      </chakra.div>
      <chakra.dl display="flex" flexWrap="wrap" columnGap="4" rowGap="1" mt="1" textStyle="xs">
        {at('line').map((column) => (
          <chakra.div key={column.id} display="flex" gap="1.5" alignItems="center" minW="0">
            <chakra.dt color="text.muted" whiteSpace="nowrap">
              {column.header}
            </chakra.dt>
            <chakra.dd minW="0" color="text">
              {column.cell(row)}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </chakra.li>
  )
}
