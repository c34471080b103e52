import { chakra, Table } from '@chakra-ui/react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { Availability, BillingType, Groups, ModelName, Prices, Ratios, Retirement } from './parts.tsx'
import { costLabel, type Prompt, type Shown, type ModelRow } from './price-rows.ts'

export type ListProps = {
  readonly rows: readonly ModelRow[]
  readonly shown: Shown
  readonly prompt: Prompt | undefined
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
  readonly selected: ReadonlySet<string>
  readonly onSelect: (names: ReadonlySet<string>) => void
  readonly onGroup: (group: string) => void
  readonly onOpen: (model: string) => void
}

const ROW = 64
const COLUMNS = [
  { id: 'available', sort: 'available', width: '5.5rem' },
  { id: 'name', sort: 'name' },
  { id: 'type', width: '6.5rem' },
  { id: 'groups' },
  { id: 'price', sort: 'price' },
  { id: 'ratio' },
] as const

/** Where a list begins in the page, which scrolls as a whole. */
export function useTopOf(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const place = (): void => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    place()
    // Content above may grow and shrink.
    const observer = new ResizeObserver(place)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}

/** One line per model; only the lines near the window are rendered. */
export function PriceTable(props: ListProps): ReactNode {
  const { rows, prompt, selected, onSelect } = props
  const { t } = useTranslation(['pricing', 'display'])
  const body = useRef<HTMLTableSectionElement>(null)
  const list = useWindowVirtualizer({ count: rows.length, estimateSize: () => ROW, overscan: 10, scrollMargin: useTopOf(body) })
  const items = list.getVirtualItems()
  const before = (items[0]?.start ?? 0) - (items.length === 0 ? 0 : list.options.scrollMargin)
  const after = list.getTotalSize() - ((items.at(-1)?.end ?? 0) - (items.length === 0 ? 0 : list.options.scrollMargin))
  const isAll = rows.length > 0 && rows.every(({ model_name }) => selected.has(model_name))
  return (
    <chakra.div bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel">
      <Table.Root size="sm" aria-label={t('title')} aria-rowcount={rows.length + 1}>
        <Table.Header position="sticky" top="12" zIndex="sticky" bg="panel">
          <Table.Row>
            <Table.ColumnHeader w="9" pe="0">
              <CheckBox
                label={t('display:action.select-all')}
                isChecked={isAll}
                isPartly={selected.size > 0}
                onChange={() => onSelect(isAll ? new Set() : new Set(rows.map(({ model_name }) => model_name)))}
              />
            </Table.ColumnHeader>
            {COLUMNS.map((column) => (
              <SortHead key={column.id} {...column} label={t(`column.${column.id}`)} props={props} />
            ))}
            {prompt === undefined ? null : <SortHead id="cost" sort="cost" label={t('column.cost')} props={props} />}
            <Table.ColumnHeader w="12" textAlign="end">
              <chakra.span srOnly>{t('column.details')}</chakra.span>
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body ref={body}>
          <Gap height={before} />
          {items.map(({ index, key }) => {
            const row = rows[index]
            return row === undefined ? null : <Line key={key} row={row} index={index} measure={list.measureElement} {...props} />
          })}
          <Gap height={after} />
        </Table.Body>
      </Table.Root>
    </chakra.div>
  )
}

/** Holds the place of lines that are not rendered. */
function Gap({ height }: { readonly height: number }): ReactNode {
  return height <= 0 ? null : (
    <tr aria-hidden>
      <td style={{ height, padding: 0 }} />
    </tr>
  )
}

type HeadProps = {
  readonly id: string
  readonly sort?: string
  readonly width?: string
  readonly label: string
  readonly props: Pick<ListProps, 'sort' | 'onSort'>
}

function SortHead({ sort: by, width, label, props: { sort = '-available', onSort } }: HeadProps): ReactNode {
  if (by === undefined) return <Table.ColumnHeader {...(width === undefined ? {} : { w: width })}>{label}</Table.ColumnHeader>
  const isDown = sort === `-${by}`
  const order = isDown ? 'descending' : sort === by ? 'ascending' : 'none'
  return (
    <Table.ColumnHeader aria-sort={order} {...(width === undefined ? {} : { w: width })}>
      <chakra.button
        type="button"
        display="inline-flex"
        alignItems="center"
        gap="1"
        whiteSpace="nowrap"
        borderRadius="xs"
        focusVisibleRing="outside"
        onClick={() => onSort(isDown ? by : `-${by}`)}
      >
        {label}
        {order === 'none' ? null : isDown ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />}
      </chakra.button>
    </Table.ColumnHeader>
  )
}

type LineProps = ListProps & {
  readonly row: ModelRow
  readonly index: number
  readonly measure: (element: HTMLTableRowElement | null) => void
}

function Line({ row, index, measure, shown, prompt, selected, onSelect, onGroup, onOpen }: LineProps): ReactNode {
  const { t } = useTranslation(['pricing', 'display'])
  const { model_name: name } = row
  return (
    <Table.Row ref={measure} data-index={index} aria-rowindex={index + 2} _hover={{ bg: 'subtle' }} css={{ '& > td': { py: '2' } }}>
      <Table.Cell pe="0">
        <CheckBox
          label={t('display:action.select-row', { name })}
          isChecked={selected.has(name)}
          onChange={() => onSelect(selected.symmetricDifference(new Set([name])))}
        />
      </Table.Cell>
      <Table.Cell>
        <Availability row={row} shown={shown} />
      </Table.Cell>
      <Table.Cell>
        <ModelName row={row} />
        <Retirement row={row} />
        <chakra.div textStyle="xs" color="text.muted">
          {row.vendor === '' ? t('other-vendor') : row.vendor}
        </chakra.div>
      </Table.Cell>
      <Table.Cell>
        <BillingType row={row} />
      </Table.Cell>
      <Table.Cell minW="8.5rem" maxW="14rem">
        <Groups row={row} shown={shown} onGroup={onGroup} />
      </Table.Cell>
      <Table.Cell>
        <Prices row={row} shown={shown} />
      </Table.Cell>
      <Table.Cell maxW="13rem">
        <Ratios row={row} shown={shown} />
      </Table.Cell>
      {prompt === undefined ? null : (
        <Table.Cell fontVariantNumeric="tabular-nums" fontWeight="medium" color="text.strong">
          {costLabel(row, shown, prompt)}
        </Table.Cell>
      )}
      <Table.Cell textAlign="end">
        <IconButton size="xs" label={t('open', { name })} onClick={() => onOpen(name)}>
          <ChevronRight />
        </IconButton>
      </Table.Cell>
    </Table.Row>
  )
}
