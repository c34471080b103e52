import { Box, Button, Flex, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Answered = { readonly id: number; readonly created_at: number; readonly model_name: string }

/** Waits for the first request and turns green when it is here, with the way to its explanation. */
export function FirstAnswer({ request }: { readonly request: Answered | null }): ReactNode {
  const { t } = useTranslation('snippets')
  const isHere = request !== null
  return (
    <Flex
      role="status"
      align="center"
      gap="3"
      px="3"
      py="2.5"
      minH="12"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      borderWidth="1px"
      borderRadius="control"
      textStyle="sm"
      colorPalette={isHere ? 'success' : 'neutral'}
      bg={isHere ? 'colorPalette.subtle' : 'transparent'}
      borderColor="colorPalette.border"
      color={isHere ? 'colorPalette.fg' : 'text.muted'}
    >
      {isHere ? <CircleCheck size={18} aria-hidden /> : <Box boxSize="2" mx="1" borderRadius="full" bg="accent.solid" animation="pulse" />}
      <Text flex="1" fontWeight={isHere ? 'medium' : 'normal'}>
        {isHere ? t('request-arrived', { model: request.model_name }) : t('request-waiting')}
      </Text>
      {isHere ? (
        <Button asChild size="sm" variant="outline">
          <Link to="/log" search={{ open: request.id, at: request.created_at }}>
            {t('see-why')}
          </Link>
        </Button>
      ) : null}
    </Flex>
  )
}
