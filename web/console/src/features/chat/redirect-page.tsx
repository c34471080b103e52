import { Flex, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../lib/client-address.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { useStored } from '../../lib/storage.ts'
import { firstEnabledToken } from './api.ts'
import { chatAddress, namedChats } from '../../lib/chat-links.ts'
import { ChatPage } from './page.tsx'

/** `/chat2link`: goes to the site's chat link itself, outside of a frame. What is missing is said as on the chat page. */
export function ChatRedirectPage(): ReactNode {
  const { t } = useTranslation('chat')
  const status = useSiteStatus()
  const link = useStored('chat_link')
  const [first] = namedChats(useStored('chats'))
  const { data: token } = useQuery(firstEnabledToken)
  const template = link ?? first?.template
  const address =
    template === undefined || token === undefined || token === null || status === undefined
      ? undefined
      : chatAddress(template, { key: token.key, address: clientAddress(status.server_address, window.location.origin) })
  useEffect(() => {
    if (address !== undefined) window.location.assign(address)
  }, [address])
  if (template !== undefined && token !== null && (token === undefined || address !== undefined))
    return (
      <Flex as="main" id="content" flex="1" align="center" justify="center">
        <Spinner aria-label={t('title')} />
      </Flex>
    )
  return <ChatPage id={undefined} />
}
