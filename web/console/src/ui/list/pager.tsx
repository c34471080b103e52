import { chakra, NativeSelect } from '@chakra-ui/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { atLeast } from '@tollgate/domain/display/count-text'
import { storage } from '../../lib/storage.ts'
import { IconButton } from '../display/icon-button.tsx'
import { PAGE_SIZES, rangeOf, usePageSize } from './page-size.ts'

type PagerProps = {
  /** From 1. */
  readonly page: number
  /** Rows on this page. */
  readonly rows: number
  /** Absent where the server does not count: then a full page means that there may be more. */
  readonly total?: number | undefined
  /** There are more rows than `total`. */
  readonly isTotalCapped?: boolean | undefined
  readonly onPage: (page: number) => void
}

/** Where one is in a list, and the way on. The page size is remembered for all lists. */
export function Pager({ page, rows, total, isTotalCapped = false, onPage }: PagerProps): ReactNode {
  const { t } = useTranslation('display')
  const size = usePageSize()
  const { from, to, hasNext } = rangeOf({ page, size, rows, total })
  const range =
    total === undefined
      ? t('pager.range-open', { from, to })
      : t('pager.range', { from, to, total: isTotalCapped ? atLeast(total) : total })
  return (
    <chakra.nav
      aria-label={t('pager.label')}
      display="flex"
      alignItems="center"
      gap="3"
      px="3"
      minH="11"
      flexShrink="0"
      borderTopWidth="1px"
      borderColor="border"
      textStyle="xs"
      color="text.muted"
    >
      <chakra.span fontVariantNumeric="tabular-nums" aria-live="polite">
        {rows === 0 ? '' : range}
      </chakra.span>
      <chakra.label display="flex" alignItems="center" gap="2" ms="auto">
        <chakra.span hideBelow="sm">{t('pager.size')}</chakra.span>
        <NativeSelect.Root size="sm" width="4.25rem">
          <NativeSelect.Field
            aria-label={t('pager.size')}
            value={size}
            onChange={(event) => {
              storage.set('page-size', Number(event.target.value))
              onPage(1)
            }}
          >
            {PAGE_SIZES.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </chakra.label>
      <chakra.div display="flex" gap="1" alignItems="center">
        <IconButton size="sm" variant="outline" label={t('pager.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft />
        </IconButton>
        <chakra.span
          minW="6"
          textAlign="center"
          color="text.strong"
          fontVariantNumeric="tabular-nums"
          aria-label={t('pager.page', { page })}
        >
          {page}
        </chakra.span>
        <IconButton size="sm" variant="outline" label={t('pager.next')} disabled={!hasNext} onClick={() => onPage(page + 1)}>
          <ChevronRight />
        </IconButton>
      </chakra.div>
    </chakra.nav>
  )
}
