import { Tabs } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientValues } from '@tollgate/domain/clients/client'
import { COMMON_CLIENTS } from '@tollgate/domain/clients/common-clients'
import { ownSystem } from '../../lib/own-system.ts'
import { ClientPanel } from './client-panel.tsx'

/** The first request or the settings for each common client, with the real address and key filled in. */
export function ClientSnippets({ values }: { readonly values: ClientValues }): ReactNode {
  const { t } = useTranslation('snippets')
  return (
    <Tabs.Root defaultValue="curl" lazyMount unmountOnExit>
      <Tabs.List aria-label={t('clients')}>
        {COMMON_CLIENTS.map(({ id, name }) => (
          <Tabs.Trigger key={id} value={id} flexShrink="0">
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {COMMON_CLIENTS.map((client) => (
        <Tabs.Content key={client.id} value={client.id} pt="3">
          <ClientPanel client={client} values={values} system={ownSystem()} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
