import { Flex, Spinner, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Shown by a route while its code or data is loading. */
export function PendingPage(): ReactNode {
  const { t } = useTranslation('common')
  return (
    <Flex role="status" direction="column" align="center" justify="center" flex="1" gap="3" px="4" py={{ base: '16', sm: '24' }}>
      <Spinner size="lg" color="accent.solid" />
      <Text color="text.muted">{t('loading')}</Text>
    </Flex>
  )
}
