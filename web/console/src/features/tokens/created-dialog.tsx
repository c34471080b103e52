import { Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Token } from '@tollgate/contracts/resources/tokens'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../lib/client-address.ts'
import { chatModelOf } from '@tollgate/domain/clients/chosen-model'
import { firstRun } from '../../lib/first-run.ts'
import { ownModels } from '../../lib/own-account.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { ClientSnippets } from '../../ui/display/client-snippets.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { FirstAnswer } from '../../ui/display/first-answer.tsx'
import { firstRequestOf } from './api.ts'
import { fullKey, keysText, limitedModels } from './token-display.ts'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'

/** The keys that were just made, and how to use the first of them. */
export function CreatedDialog({ tokens, onClose }: { readonly tokens: readonly Token[]; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation(['tokens', 'display', 'snippets'])
  const [first] = tokens
  if (first === undefined) return null
  return (
    <InfoDialog
      title={t('created.title', { name: first.name, count: tokens.length })}
      width="3xl"
      buttons={
        <>
          <Button asChild variant="outline">
            <Link to="/client-setup" search={{ token: first.id }}>
              {t('snippets:all-clients')}
            </Link>
          </Button>
          <Button onClick={onClose}>{t('created.close')}</Button>
        </>
      }
      onClose={onClose}
    >
      <Stack gap="4">
        <Keys tokens={tokens} />
        <Usage token={first} />
      </Stack>
    </InfoDialog>
  )
}

function Keys({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  const { t } = useTranslation('tokens')
  const text = keysText(tokens)
  return (
    <Stack gap="1.5">
      <Flex align="flex-start" gap="2" bg="subtle" borderWidth="1px" borderColor="border" borderRadius="control" px="3" py="2">
        <chakra.pre
          flex="1"
          minW="0"
          maxH="32"
          overflow="auto"
          m="0"
          fontFamily="mono"
          textStyle="sm"
          color="text.strong"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          borderRadius="control"
          focusVisibleRing="outside"
          tabIndex={0}
          aria-label={t('created.key')}
        >
          {text}
        </chakra.pre>
        <CopyButton text={text} label={t('created.copy', { count: tokens.length })} />
      </Flex>
      <Text textStyle="xs" color="text.muted">
        {t('created.help')}
      </Text>
    </Stack>
  )
}

function Usage({ token }: { readonly token: Token }): ReactNode {
  const { t } = useTranslation('tokens')
  const status = useSiteStatus()
  const models = useQuery(ownModels).data
  const preferred = useQuery({ ...firstRun, enabled: isRoot(useUser()) }).data?.priced_model
  const { data: request } = useQuery(firstRequestOf(token))
  const usable = limitedModels(token) ?? models ?? []
  const model = chatModelOf(usable, preferred)
  if (models === undefined) return null
  if (model === '') return <Text textStyle="sm">{t('created.no-model')}</Text>
  return (
    <>
      <ClientSnippets values={{ address: clientAddress(status?.server_address, window.location.origin), key: fullKey(token), model }} />
      <FirstAnswer request={request ?? null} />
    </>
  )
}
