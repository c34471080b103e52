import { Box, Flex } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../../ui/page/use-narrow.ts'

type FrameProps = { readonly panel: ReactNode; readonly isPanelOpen: boolean; readonly children: ReactNode }

/** The settings at the left and what they are for, as high as the window. */
export function Frame({ panel, isPanelOpen, children }: FrameProps): ReactNode {
  const { t } = useTranslation('playground')
  const isNarrow = useNarrow()
  return (
    <Flex
      gap="4"
      align="stretch"
      direction={{ base: 'column', sm: 'row' }}
      h={{ base: isPanelOpen ? 'auto' : 'calc(100dvh - 14rem)', sm: 'calc(100dvh - 14.5rem)' }}
      minH="24rem"
      minW="0"
    >
      {isPanelOpen ? (
        <Box
          as="section"
          aria-label={t('settings')}
          w={{ base: 'full', sm: '72' }}
          flexShrink="0"
          overflowY={isNarrow ? 'visible' : 'auto'}
          bg="panel"
          borderWidth="1px"
          borderColor="border"
          borderRadius="panel"
          p="4"
        >
          {panel}
        </Box>
      ) : null}
      {children}
    </Flex>
  )
}
