import { Flex, Skeleton, Stack } from '@chakra-ui/react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ALL_CLIENTS } from '@tollgate/domain/clients/all-clients'
import { claudeCode } from '@tollgate/domain/clients/claude-code'
import { SYSTEMS } from '@tollgate/domain/clients/client'
import { ownSystem } from '../../../lib/own-system.ts'
import { failureText } from '../../../lib/report.ts'
import { ClientPanel } from '../../../ui/display/client-panel.tsx'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { ClientList } from './client-list.tsx'
import { RequestTest } from './request-test.tsx'
import type { ClientSetupSearch } from './search.ts'
import { useSetupValues } from './use-setup-values.ts'
import { ValuesPanel } from './values-panel.tsx'

const CreateTokenDrawer = lazy(async () => ({ default: (await import('../drawer.tsx')).CreateTokenDrawer }))

type PageProps = { readonly search: ClientSetupSearch; readonly onChange: (part: ClientSetupSearch) => void }

/** `/client-setup`: how each client is set up for this site, filled in with a token and a model, and a test of it. */
export function ClientSetupPage({ search, onChange }: PageProps): ReactNode {
  const { t } = useTranslation('tokens')
  const client = ALL_CLIENTS.find(({ id }) => id === search.client) ?? claudeCode
  const system = SYSTEMS.find((one) => one === search.system) ?? ownSystem()
  const setup = useSetupValues(client, search)
  const [isCreating, setCreating] = useState(false)
  return (
    <Page title={t('setup.title')} lead={t('setup.lead')}>
      <Flex gap="6" direction={{ base: 'column', sm: 'row' }} minW="0">
        <ClientList chosen={client} onChoose={(id) => onChange({ client: id })} />
        {setup.error === null ? (
          <Stack gap="4" flex="1" minW="0" maxW="4xl">
            <ValuesPanel setup={setup} system={system} onChange={onChange} onCreate={() => setCreating(true)} />
            <Panel title={client.name} action={<ToneTag tone="grey">{t(`setup.format.${client.format}`)}</ToneTag>}>
              {setup.isLoading ? (
                <Skeleton h="40" />
              ) : (
                <ClientPanel key={client.id} client={client} values={setup.values} system={system} />
              )}
            </Panel>
            {setup.token === null ? null : (
              <Panel title={t('setup.test.title')}>
                <RequestTest key={setup.token.id} token={setup.token} />
              </Panel>
            )}
          </Stack>
        ) : (
          <Flex flex="1" justify="center">
            <ErrorState message={failureText(setup.error) ?? ''} onRetry={setup.retry} />
          </Flex>
        )}
      </Flex>
      <Suspense fallback={null}>
        {isCreating ? (
          <CreateTokenDrawer
            name={client.name}
            onClose={() => setCreating(false)}
            onMade={([made]) => (made === undefined ? undefined : onChange({ token: made.id }))}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}
