import { Box, Button, Flex, Stack, Text, Textarea } from '@chakra-ui/react'
import { Copy, Pencil, RefreshCw } from 'lucide-react'
import { memo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/display/icon-button.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { copyText } from '../../../ui/overlay/clipboard.ts'
import { secondsOf, speedOf } from './answer-facts.ts'
import { WhyLink } from './answer-links.tsx'
import { MessageText } from './message-text.tsx'
import { isOpening, type ChatMessage } from './messages.ts'
import { ToolCalls } from './tool-calls.tsx'

/** Actions for the messages of a conversation. */
export type MessageActions = {
  readonly again: (id: string, content?: string) => void
  readonly sendResults: (results: readonly string[]) => void
}

type MessageRowProps = {
  readonly message: ChatMessage
  /** Undefined while an answer arrives. */
  readonly actions: MessageActions | undefined
  /** The facts stand elsewhere. */
  readonly isBare?: boolean
}

/** A question or an answer, and what can be done with it. */
export const MessageRow = memo(function MessageRow({ message, actions, isBare = false }: MessageRowProps): ReactNode {
  const { t } = useTranslation('playground')
  const [isEdited, setEdited] = useState(false)
  const isQuestion = message.role === 'user'
  return (
    <>
      <Flex
        as="article"
        aria-label={t(isQuestion ? 'question' : 'answer')}
        direction="column"
        align={isQuestion ? 'flex-end' : 'stretch'}
        gap="1"
        minW="0"
      >
        {isEdited && actions !== undefined ? (
          <EditBox
            text={message.content}
            onCancel={() => setEdited(false)}
            onSend={(content) => {
              setEdited(false)
              actions.again(message.id, content)
            }}
          />
        ) : (
          <MessageText message={message} />
        )}
        {message.calls === undefined ? null : <ToolCalls calls={message.calls} onResults={actions?.sendResults} />}
        {isOpening(message) || isEdited ? null : (
          <Flex align="center" gap="1" wrap="wrap" color="text.muted">
            <RowButtons message={message} actions={actions} onEdit={() => setEdited(true)} />
            {isQuestion || isBare ? null : <Facts message={message} />}
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

type RowButtonsProps = Pick<MessageRowProps, 'message' | 'actions'> & { readonly onEdit: () => void }

function RowButtons({ message, actions, onEdit }: RowButtonsProps): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <>
      {message.content === '' ? null : (
        <IconButton size="xs" label={t('copy')} onClick={() => void copyText(message.content)}>
          <Copy />
        </IconButton>
      )}
      {actions === undefined ? null : message.role === 'user' ? (
        <IconButton size="xs" label={t('edit')} onClick={onEdit}>
          <Pencil />
        </IconButton>
      ) : (
        <IconButton size="xs" label={t('again')} onClick={() => actions.again(message.id)}>
          <RefreshCw />
        </IconButton>
      )}
    </>
  )
}

function Facts({ message: { facts, status } }: { readonly message: ChatMessage }): ReactNode {
  const { t } = useTranslation('playground')
  if (facts === undefined || status === 'loading' || status === 'incomplete') return null
  const { model, first_ms, total_ms, prompt_tokens, completion_tokens, charge } = facts
  const speed = speedOf(facts)
  const texts = [
    model,
    ...(first_ms === undefined ? [] : [t('first-token', { seconds: secondsOf(first_ms) })]),
    ...(total_ms === undefined ? [] : [t('duration', { seconds: secondsOf(total_ms) })]),
    ...(prompt_tokens === undefined ? [] : [t('tokens', { prompt: prompt_tokens, completion: completion_tokens ?? 0 })]),
    ...(speed === undefined ? [] : [t('speed', { speed })]),
  ]
  return (
    <>
      <Text as="span" textStyle="xs" fontVariantNumeric="tabular-nums">
        {texts.join(' · ')}
        {charge === undefined ? null : (
          <>
            {' · '}
            <QuotaText quota={charge.quota} kind="charge" />
          </>
        )}
      </Text>
      <WhyLink facts={facts} />
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
