import { Flex } from '@chakra-ui/react'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MessageRow } from './message-row.tsx'
import type { ChatMessage } from './messages.ts'

type ConversationProps = {
  readonly messages: readonly ChatMessage[]
  readonly isRunning: boolean
  readonly onAgain: (id: string, content?: string) => void
}

/** Pixels from the end within which the reader is taken to follow the answer. */
const NEAR_END = 80

/** What was said; follows the answer that arrives unless the reader has scrolled up. */
export function Conversation({ messages, isRunning, onAgain }: ConversationProps): ReactNode {
  const { t } = useTranslation('playground')
  const box = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  useEffect(() => {
    if (isFollowing.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [messages])
  const latest = useRef(onAgain)
  useEffect(() => void (latest.current = onAgain))
  // The same function all the time, so that only the message that changes is drawn again.
  const again = useCallback((id: string, content?: string): void => latest.current(id, content), [])
  return (
    <Flex
      ref={box}
      role="log"
      aria-label={t('conversation')}
      tabIndex={0}
      direction="column"
      gap="5"
      flex="1"
      minH="0"
      overflowY="auto"
      px={{ base: '3', sm: '5' }}
      py="4"
      focusVisibleRing="inside"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_END
      }}
    >
      {messages.map((message) => (
        <MessageRow key={message.id} message={message} onAgain={isRunning ? undefined : again} />
      ))}
    </Flex>
  )
}
