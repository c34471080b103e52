import { Flex, Text } from '@chakra-ui/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../display/icon-button.tsx'

type TurnerProps = { readonly page: number; readonly pages: number; readonly onPage: (page: number) => void }

/** Forward and back in a short list inside a panel. */
export function Turner({ page, pages, onPage }: TurnerProps): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Flex align="center" justify="flex-end" gap="2">
      <IconButton size="sm" label={t('pager.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft />
      </IconButton>
      <Text textStyle="xs" color="text.muted" fontVariantNumeric="tabular-nums">
        {page} / {pages}
      </Text>
      <IconButton size="sm" label={t('pager.next')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <ChevronRight />
      </IconButton>
    </Flex>
  )
}
