import { Box, Button, chakra, Flex, Spinner, Stack, Text, Textarea } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { Copy, Pencil, RefreshCw, Scale } from 'lucide-react'
import { memo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { Markdown } from '../../ui/display/markdown.tsx'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { blocksOf } from './blocks.ts'
import type { ChatMessage } from './messages.ts'

type MessageRowProps = {
  readonly message: ChatMessage
  /** Undefined while an answer arrives. */
  readonly onAgain: ((id: string, content?: string) => void) | undefined
}

/** A question or an answer, and what can be done with it. */
export const MessageRow = memo(function MessageRow({ message, onAgain }: MessageRowProps): ReactNode {
  const { t } = useTranslation('playground')
  const [isEdited, setEdited] = useState(false)
  const isQuestion = message.role === 'user'
  const isOpening = Number(message.id) < 4
  return (
    <>
      <Flex
        as="article"
        aria-label={t(isQuestion ? 'question' : 'answer')}
        direction="column"
        align={isQuestion ? 'flex-end' : 'stretch'}
        gap="1"
      >
        {isEdited && onAgain !== undefined ? (
          <EditBox
            text={message.content}
            onCancel={() => setEdited(false)}
            onSend={(content) => {
              setEdited(false)
              onAgain(message.id, content)
            }}
          />
        ) : (
          <MessageText message={message} />
        )}
        {isOpening || isEdited ? null : (
          <Flex align="center" gap="1" wrap="wrap" color="text.muted">
            {message.content === '' ? null : (
              <IconButton size="xs" label={t('copy')} onClick={() => void copyText(message.content)}>
                <Copy />
              </IconButton>
            )}
            {onAgain === undefined ? null : isQuestion ? (
              <IconButton size="xs" label={t('edit')} onClick={() => setEdited(true)}>
                <Pencil />
              </IconButton>
            ) : (
              <IconButton size="xs" label={t('again')} onClick={() => onAgain(message.id)}>
                <RefreshCw />
              </IconButton>
            )}
            {isQuestion ? null : <Facts message={message} />}
          </Flex>
        )}
      </Flex>
      {message.isBreak === true ? (
        <Flex align="center" gap="3" color="text.muted" textStyle="xs" role="separator">
          <Box flex="1" h="1px" bg="border" />
          {t('context-cleared')}
          <Box flex="1" h="1px" bg="border" />
        </Flex>
      ) : null}
    </>
  )
})

function MessageText({ message: { role, content, status, reasoning } }: { readonly message: ChatMessage }): ReactNode {
  const { t } = useTranslation('playground')
  if (role === 'user')
    return (
      <Box
        maxW="85%"
        bg="accent.subtle"
        borderRadius="panel"
        px="3.5"
        py="2"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        color="text.strong"
      >
        {content}
      </Box>
    )
  if (status === 'error')
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
        {content}
      </Box>
    )
  return (
    <Stack gap="2" aria-busy={status === 'loading' || status === 'incomplete'}>
      {reasoning === undefined ? null : (
        <chakra.details borderInlineStartWidth="2px" borderColor="border" ps="3" color="text.muted" textStyle="sm">
          <chakra.summary cursor="pointer">{t('reasoning')}</chakra.summary>
          <Box whiteSpace="pre-wrap" overflowWrap="anywhere" mt="1">
            {reasoning}
          </Box>
        </chakra.details>
      )}
      {status === 'loading' ? <Spinner size="sm" aria-label={t('waiting')} /> : null}
      {blocksOf(content).map((block, index) => (
        // Pieces are only added at the end, so the place names the piece.
        <Markdown key={index} text={block} />
      ))}
    </Stack>
  )
}

function Facts({ message: { facts, status } }: { readonly message: ChatMessage }): ReactNode {
  const { t } = useTranslation('playground')
  if (facts === undefined || status === 'loading' || status === 'incomplete') return null
  const { model, first_ms, total_ms, prompt_tokens, completion_tokens, request_id } = facts
  const writing = first_ms === undefined || total_ms === undefined ? 0 : (total_ms - first_ms) / 1000
  const texts = [
    model,
    ...(first_ms === undefined ? [] : [t('first-token', { seconds: (first_ms / 1000).toFixed(2) })]),
    ...(total_ms === undefined ? [] : [t('duration', { seconds: (total_ms / 1000).toFixed(2) })]),
    ...(prompt_tokens === undefined ? [] : [t('tokens', { prompt: prompt_tokens, completion: completion_tokens ?? 0 })]),
    ...(completion_tokens === undefined || writing < 0.05 ? [] : [t('speed', { speed: Math.round(completion_tokens / writing) })]),
  ]
  return (
    <>
      <Text as="span" textStyle="xs" fontVariantNumeric="tabular-nums">
        {texts.join(' · ')}
      </Text>
      {request_id === undefined ? null : (
        <Button asChild size="xs" variant="ghost" color="text.muted">
          <Link to="/log" search={{ request_id }}>
            <Scale aria-hidden />
            {t('see-why')}
          </Link>
        </Button>
      )}
    </>
  )
}

type EditBoxProps = { readonly text: string; readonly onCancel: () => void; readonly onSend: (text: string) => void }

function EditBox({ text, onCancel, onSend }: EditBoxProps): ReactNode {
  const { t } = useTranslation(['playground', 'display'])
  const [draft, setDraft] = useState(text)
  return (
    <Stack w="full" gap="2">
      <Textarea aria-label={t('edit')} autoFocus rows={3} value={draft} onChange={(event) => setDraft(event.currentTarget.value)} />
      <Flex gap="2" justify="flex-end">
        <Button variant="outline" onClick={onCancel}>
          {t('display:action.cancel')}
        </Button>
        <Button disabled={draft.trim() === ''} onClick={() => onSend(draft.trim())}>
          {t('send')}
        </Button>
      </Flex>
    </Stack>
  )
}
