import { Box, chakra, Flex, Image, Spinner, Stack } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '../../../ui/display/markdown.tsx'
import type { ChatMessage } from './messages.ts'

/** Text of a message. */
export function MessageText({ message }: { readonly message: ChatMessage }): ReactNode {
  const { role, content, status, error } = message
  if (role === 'user') return <Question message={message} />
  if (status === 'error' && error === undefined) return <Failure text={content} />
  return (
    <Stack gap="2" minW="0" aria-busy={status === 'loading' || status === 'incomplete'}>
      <Answer message={message} />
      {error === undefined ? null : <Failure text={error} />}
    </Stack>
  )
}

function Question({ message: { content, images = [] } }: { readonly message: ChatMessage }): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <Stack maxW="85%" gap="2" align="flex-end">
      {images.length === 0 ? null : (
        <Flex wrap="wrap" gap="2" justify="flex-end">
          {images.map((source, at) => (
            <Image key={at} src={source} alt={t('image-number', { number: at + 1 })} maxH="40" maxW="full" borderRadius="control" />
          ))}
        </Flex>
      )}
      {content === '' ? null : (
        <Box
          bg="accent.subtle"
          borderRadius="panel"
          px="3.5"
          py="2"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          color="text.strong"
          maxW="full"
        >
          {content}
        </Box>
      )}
    </Stack>
  )
}

function Answer({ message: { content, status, reasoning } }: { readonly message: ChatMessage }): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <>
      {reasoning === undefined ? null : (
        <chakra.details borderInlineStartWidth="2px" borderColor="border" ps="3" color="text.muted" textStyle="sm">
          <chakra.summary cursor="pointer">{t('reasoning')}</chakra.summary>
          <Box whiteSpace="pre-wrap" overflowWrap="anywhere" mt="1">
            {reasoning}
          </Box>
        </chakra.details>
      )}
      {status === 'loading' ? <Spinner size="sm" aria-label={t('waiting')} /> : null}
      {content === '' ? null : <Markdown text={content} />}
    </>
  )
}

export function Failure({ text }: { readonly text: string }): ReactNode {
  return (
    <Box
      role="alert"
      bg="danger.subtle"
      color="danger.fg"
      borderWidth="1px"
      borderColor="danger.border"
      borderRadius="panel"
      px="3.5"
      py="2.5"
      whiteSpace="pre-wrap"
      overflowWrap="anywhere"
    >
      {text}
    </Box>
  )
}
