import { chakra, Flex, SimpleGrid } from '@chakra-ui/react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { Availability, BillingType, Groups, ModelName, Prices, Ratios, Retirement } from './parts.tsx'
import { useTopOf, type ListProps } from './price-table.tsx'
import { costLabel, type ModelRow } from './price-rows.ts'

const ROW = 190

/** One card per model, as many beside each other as fit; only the ones near the window are rendered. */
export function PriceCards({ columns, ...props }: ListProps & { readonly columns: number }): ReactNode {
  const { rows } = props
  const { t } = useTranslation('pricing')
  const box = useRef<HTMLDivElement>(null)
  const list = useWindowVirtualizer({
    count: Math.ceil(rows.length / columns),
    estimateSize: () => ROW,
    overscan: 4,
    scrollMargin: useTopOf(box),
  })
  return (
    <chakra.div ref={box} role="list" aria-label={t('title')} position="relative" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map(({ index, key, start }) => (
        <SimpleGrid
          key={key}
          ref={list.measureElement}
          data-index={index}
          role="presentation"
          columns={columns}
          gap="3"
          pb="3"
          position="absolute"
          insetX="0"
          top="0"
          style={{ transform: `translateY(${start - list.options.scrollMargin}px)` }}
        >
          {rows.slice(index * columns, (index + 1) * columns).map((row) => (
            <Card key={row.model_name} row={row} {...props} />
          ))}
        </SimpleGrid>
      ))}
    </chakra.div>
  )
}

function Card({ row, shown, prompt, selected, onSelect, onGroup, onOpen }: ListProps & { readonly row: ModelRow }): ReactNode {
  const { t } = useTranslation(['pricing', 'display'])
  const { model_name: name } = row
  return (
    <Flex role="listitem" direction="column" gap="2" bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" p="3" minW="0">
      <Flex align="flex-start" gap="2">
        <chakra.div pt="0.5">
          <CheckBox
            label={t('display:action.select-row', { name })}
            isChecked={selected.has(name)}
            onChange={() => onSelect(selected.symmetricDifference(new Set([name])))}
          />
        </chakra.div>
        <chakra.div flex="1" minW="0">
          <ModelName row={row} />
          <Retirement row={row} />
          <chakra.div textStyle="xs" color="text.muted">
            {row.vendor === '' ? t('other-vendor') : row.vendor}
          </chakra.div>
        </chakra.div>
        <Availability row={row} shown={shown} />
        <IconButton size="xs" label={t('open', { name })} onClick={() => onOpen(name)}>
          <ChevronRight />
        </IconButton>
      </Flex>
      <Prices row={row} shown={shown} />
      <Ratios row={row} shown={shown} />
      <Flex gap="2" align="center" wrap="wrap" mt="auto">
        <BillingType row={row} />
        <Groups row={row} shown={shown} onGroup={onGroup} />
        {prompt === undefined ? null : (
          <chakra.span ms="auto" textStyle="sm" fontWeight="medium" color="text.strong" fontVariantNumeric="tabular-nums">
            <chakra.span color="text.muted" fontWeight="normal" textStyle="xs">
              {t('column.cost')}{' '}
            </chakra.span>
            {costLabel(row, shown, prompt)}
          </chakra.span>
        )}
      </Flex>
    </Flex>
  )
}
