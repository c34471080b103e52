import { Box, Flex } from '@chakra-ui/react'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatSession } from './chat-session.ts'
import { MessageRow, type MessageActions } from './message-row.tsx'
import type { ChatMessage } from './messages.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'
import { useMessages, useRunning } from './use-chat.ts'

type ConversationProps = {
  readonly session: ChatSession
  readonly settings: PlaygroundSettings
  readonly opening: readonly ChatMessage[]
  readonly label?: string
  readonly isBare?: boolean
}

/** Pixels from the end within which the reader is taken to follow the answer. */
const NEAR_END = 80

/** Messages of the conversation; follows the answer that arrives unless the reader has scrolled up. */
export function Conversation({ session, settings, opening, label, isBare = false }: ConversationProps): ReactNode {
  const { t } = useTranslation('playground')
  const messages = useMessages(session)
  const isRunning = useRunning(session)
  const { box, content, onScroll } = useFollowing()
  const actions = useActions(session, settings)
  return (
    <Box
      ref={box}
      role="log"
      aria-label={label ?? t('conversation')}
      tabIndex={0}
      flex="1"
      minH="0"
      overflowY="auto"
      px={{ base: '3', sm: isBare ? '3' : '5' }}
      py="4"
      focusVisibleRing="inside"
      onScroll={onScroll}
    >
      <Flex ref={content} direction="column" gap="5">
        {[...opening, ...messages].map((message) => (
          <MessageRow key={message.id} message={message} actions={isRunning ? undefined : actions} isBare={isBare} />
        ))}
      </Flex>
    </Box>
  )
}

/** The same functions all the time, so that only the message that changes is drawn again. */
function useActions(session: ChatSession, settings: PlaygroundSettings): MessageActions {
  const latest = useRef(settings)
  useEffect(() => void (latest.current = settings))
  return useMemo(
    () => ({
      again: (id, content) => session.askAgain(id, latest.current, content),
      sendResults: (results) => session.sendResults(results, latest.current),
    }),
    [session],
  )
}

/** Keeps the end in view while the content grows, which a long answer does for some time after it has arrived. */
function useFollowing() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  useEffect(() => {
    if (content.current === null) return undefined
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) box.current?.scrollTo({ top: box.current.scrollHeight })
    })
    observer.observe(content.current)
    return () => observer.disconnect()
  }, [])
  const onScroll = (): void => {
    if (box.current === null) return
    const { scrollHeight, scrollTop, clientHeight } = box.current
    isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_END
  }
  return { box, content, onScroll }
}
