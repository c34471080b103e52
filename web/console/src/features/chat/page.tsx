import { Button, chakra, Flex, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, MessagesSquare } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../lib/page-title.ts'
import { failureText } from '../../lib/report.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { useStored } from '../../lib/storage.ts'
import { toast } from '../../lib/toast.ts'
import { clientAddress } from '../../lib/client-address.ts'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { firstEnabledToken } from './api.ts'
import { chatAddress, isFramable, namedChats } from '../../lib/chat-links.ts'

const TO_TOKENS_AFTER_MS = 1500

/** `/chat/{id}`: one of the site's chats in a frame, with the key of the reader's first enabled token. Without an id the first. */
export function ChatPage({ id }: { readonly id: string | undefined }): ReactNode {
  const { t } = useTranslation('chat')
  const chats = namedChats(useStored('chats'))
  const chosen = id === undefined ? chats[0] : chats.find((chat) => String(chat.id) === id)
  usePageTitle(chosen?.name ?? t('title'))
  const isBroken = useBrokenChats()
  useEffect(() => {
    if (isBroken) toast.error(t('parse-failed'))
  }, [isBroken, t])
  if (chosen === undefined) return <Centred title={t('no-link')} />
  return <FilledChat template={chosen.template} name={chosen.name} />
}

function FilledChat({ template, name }: { readonly template: string; readonly name: string }): ReactNode {
  const { t } = useTranslation('chat')
  const status = useSiteStatus()
  const { data: token, error, refetch } = useQuery(firstEnabledToken)
  useWithoutToken(token === null)
  if (error !== null) return <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />
  if (token === null) return <Centred title={t('no-token')} />
  if (token === undefined)
    return (
      <Flex as="main" id="content" flex="1" align="center" justify="center">
        <Spinner aria-label={t('title')} />
      </Flex>
    )
  const address = chatAddress(template, { key: token.key, address: clientAddress(status?.server_address, window.location.origin) })
  if (address === undefined || isOwnPage(address)) return <Centred title={t('faulty-link')} />
  if (!isFramable(address))
    return (
      <Centred title={name} help={t('opens-application')}>
        <Button asChild>
          <a href={address} rel="noreferrer">
            <ExternalLink aria-hidden />
            {t('open-application')}
          </a>
        </Button>
      </Centred>
    )
  return (
    <chakra.main id="content" tabIndex={-1} flex="1" display="flex" minW="0" outline="none">
      <chakra.iframe
        title={name}
        src={address}
        // The chat keeps its own data on its own origin, which is not ours.
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
        referrerPolicy="no-referrer"
        allow="clipboard-write; microphone"
        flex="1"
        w="full"
        minH="70vh"
        borderWidth="0"
        bg="panel"
      />
    </chakra.main>
  )
}

/** In a frame with its scripts it could do everything that the reader may do here. */
const isOwnPage = (address: string): boolean => URL.parse(address)?.origin === window.location.origin

/** Says that no token is enabled, and goes where one can be made. */
function useWithoutToken(isMissing: boolean): void {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  useEffect(() => {
    if (!isMissing) return undefined
    toast.error(t('no-token'))
    const timer = setTimeout(() => void navigate({ to: '/token' }), TO_TOKENS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isMissing, navigate, t])
}

/** Something is stored, and it is no list of chats. */
function useBrokenChats(): boolean {
  return useStored('chats') === undefined && localStorage.getItem('chats') !== null
}

function Centred({ title, help, children }: { readonly title: string; readonly help?: string; readonly children?: ReactNode }): ReactNode {
  return (
    <Flex as="main" id="content" flex="1" align="center" justify="center" px="4" py="10">
      <EmptyState title={title} help={help ?? ''} icon={<MessagesSquare />}>
        {children}
      </EmptyState>
    </Flex>
  )
}
