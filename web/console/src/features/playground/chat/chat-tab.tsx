import { Flex } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatSession } from './chat-session.ts'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { openingOf } from './messages.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'
import { useRunning } from './use-chat.ts'
import { useImages } from '../media/use-images.ts'

type ChatTabProps = { readonly session: ChatSession; readonly settings: PlaygroundSettings }

/** One conversation with one model. */
export function ChatTab({ session, settings }: ChatTabProps): ReactNode {
  const { t } = useTranslation('playground')
  const images = useImages()
  return (
    <Flex
      direction="column"
      flex="1"
      minW="0"
      minH={{ base: '60dvh', sm: '0' }}
      bg="panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      {...images.area}
    >
      <Conversation session={session} settings={settings} opening={openingOf(t('opening-question'), t('opening-answer'))} />
      <Composer
        isRunning={useRunning(session)}
        images={images}
        onSend={(question) => session.send(question, settings)}
        onStop={() => session.stop()}
      />
    </Flex>
  )
}
