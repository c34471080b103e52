import { Button, Flex, Input, Table, Text } from '@chakra-ui/react'
import { completionRatioOf } from '@tollgate/domain/pricing/completion-ratio'
import { Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { dollarsOf, parseNumber, type PriceColumn, type PriceRow } from './prices.ts'

const PAGE = 10

type TableProps = {
  readonly rows: readonly PriceRow[]
  readonly onChange: (row: PriceRow) => void
  readonly onEdit?: (row: PriceRow) => void
  readonly onRemove?: (row: PriceRow) => void
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (names: ReadonlySet<string>) => void
  readonly empty: string
  /** True if requests for the model are refused because the row has no output price. */
  readonly isRefused?: (row: PriceRow) => boolean
}

/** Prices of models, ten to a page; numbers are typed in their cells. With a fixed price, the ratios are closed. */
export function PriceTable({
  rows,
  onChange,
  onEdit,
  onRemove,
  selected,
  onSelect,
  empty,
  isRefused = () => false,
}: TableProps): ReactNode {
  const { t } = useTranslation(['prices', 'display'])
  const [wanted, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE))
  const page = Math.min(wanted, pages)
  const shown = rows.slice((page - 1) * PAGE, page * PAGE)
  const isAll = shown.length > 0 && shown.every(({ name }) => selected?.has(name) === true)
  if (rows.length === 0) return <Text color="text.muted">{empty}</Text>
  const toggleAll = (): void => {
    const next = new Set(selected)
    for (const { name } of shown)
      if (isAll) next.delete(name)
      else next.add(name)
    onSelect?.(next)
  }
  return (
    <>
      <Table.ScrollArea borderWidth="1px" borderColor="border" borderRadius="control">
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              {onSelect === undefined ? null : (
                <Table.ColumnHeader w="10">
                  <CheckBox label={t('display:action.select-all')} isChecked={isAll} onChange={toggleAll} />
                </Table.ColumnHeader>
              )}
              <Table.ColumnHeader>{t('column.name')}</Table.ColumnHeader>
              {(['price', 'ratio', 'completion', 'input', 'output'] as const).map((column) => (
                <Table.ColumnHeader key={column} textAlign="end">
                  {t(`column.${column}`)}
                </Table.ColumnHeader>
              ))}
              {onEdit === undefined ? null : <Table.ColumnHeader textAlign="end">{t('display:table.actions')}</Table.ColumnHeader>}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {shown.map((row) => (
              <Row
                key={row.name}
                row={row}
                isSelected={selected?.has(row.name) === true}
                isRefused={isRefused(row)}
                onChange={onChange}
                onSelect={onSelect === undefined ? undefined : () => onSelect(new Set(selected).symmetricDifference(new Set([row.name])))}
                onEdit={onEdit}
                onRemove={onRemove}
              />
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      <Flex align="center" justify="flex-end" gap="2" textStyle="xs" color="text.muted">
        <Text aria-live="polite">
          {t('display:pager.range', { from: (page - 1) * PAGE + 1, to: (page - 1) * PAGE + shown.length, total: rows.length })}
        </Text>
        <Button type="button" size="xs" variant="outline" disabled={page <= 1} onClick={() => setPage(page - 1)}>
          {t('display:pager.previous')}
        </Button>
        <Button type="button" size="xs" variant="outline" disabled={page >= pages} onClick={() => setPage(page + 1)}>
          {t('display:pager.next')}
        </Button>
      </Flex>
    </>
  )
}

type RowProps = Pick<TableProps, 'onChange'> & {
  readonly row: PriceRow
  readonly isSelected: boolean
  readonly isRefused: boolean
  readonly onSelect: (() => void) | undefined
  readonly onEdit: TableProps['onEdit'] | undefined
  readonly onRemove: TableProps['onRemove'] | undefined
}

function Row({ row, isSelected, isRefused, onChange, onSelect, onEdit, onRemove }: RowProps): ReactNode {
  const { t } = useTranslation(['prices', 'display'])
  const { name, price, ratio, completion } = row
  const hasPrice = price !== undefined
  // The charged ratio: the ratio of the model's family where there is no entry.
  const charged = completionRatioOf(name, completion)
  const isCharged = !hasPrice && !isRefused && ratio !== undefined
  return (
    <Table.Row>
      {onSelect === undefined ? null : (
        <Table.Cell>
          <CheckBox label={t('display:action.select-row', { name })} isChecked={isSelected} onChange={onSelect} />
        </Table.Cell>
      )}
      <Table.Cell fontFamily="mono" textStyle="xs" color="text.strong" minW="12rem" overflowWrap="anywhere">
        {name}
        {row.cards.length === 0 ? null : (
          <Text fontFamily="body" color="text.muted">
            {t('steps.count', { count: row.cards.length })}
          </Text>
        )}
      </Table.Cell>
      {(['price', 'ratio', 'completion'] as const).map((column) => (
        <Table.Cell key={column} textAlign="end">
          <Cell
            label={t('cell', { name, column: t(`column.${column}`) })}
            column={column}
            value={row[column]}
            isClosed={hasPrice && column !== 'price'}
            placeholder={column === 'completion' && isCharged ? String(Number(charged.toPrecision(6))) : '–'}
            onSave={(value) => onChange({ ...row, [column]: value })}
          />
        </Table.Cell>
      ))}
      <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums">
        {hasPrice || ratio === undefined ? '–' : dollarText(ratio)}
      </Table.Cell>
      <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums">
        {isCharged ? dollarText(ratio * charged) : '–'}
      </Table.Cell>
      {onEdit === undefined ? null : (
        <Table.Cell textAlign="end" whiteSpace="nowrap">
          <IconButton type="button" size="xs" label={t('edit', { name })} onClick={() => onEdit(row)}>
            <Pencil />
          </IconButton>
          <IconButton type="button" size="xs" label={t('remove', { name })} onClick={() => onRemove?.(row)}>
            <Trash2 />
          </IconButton>
        </Table.Cell>
      )}
    </Table.Row>
  )
}

/** Dollars of a million tokens at a ratio, to six digits. */
const dollarText = (ratio: number): string => `$${Number(dollarsOf(ratio).toPrecision(6))}`

type CellProps = {
  readonly label: string
  readonly column: PriceColumn
  readonly value: number | undefined
  readonly isClosed: boolean
  readonly placeholder: string
  readonly onSave: (value: number | undefined) => void
}

/** Enter or leaving takes the number over, Escape takes it back. */
function Cell({ label, column, value, isClosed, placeholder, onSave }: CellProps): ReactNode {
  const { t } = useTranslation('prices')
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const shown = value === undefined ? '' : String(value)
  const commit = (): void => {
    setDraft(undefined)
    if (draft === undefined || draft.trim() === shown) return
    const parsed = parseNumber(draft, column, value)
    if (typeof parsed === 'string') toast.error(t(`problem.${parsed}`))
    else onSave(parsed.value)
  }
  return (
    <Input
      size="sm"
      variant="subtle"
      w="8rem"
      me="-2"
      textAlign="end"
      fontVariantNumeric="tabular-nums"
      inputMode="decimal"
      aria-label={label}
      placeholder={placeholder}
      disabled={isClosed}
      value={draft ?? shown}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault()
          event.currentTarget.blur()
        }
        if (event.key === 'Escape') setDraft(undefined)
      }}
    />
  )
}
