import { Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAccount } from '../../lib/own-account.ts'
import { failureText } from '../../lib/report.ts'
import { Page } from '../../ui/page/page.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { Account } from './account.tsx'
import { Invites } from './invites.tsx'
import { Models } from './models.tsx'
import { OwnActions } from './own-actions.tsx'
import { Preferences } from './preferences.tsx'
import { Profile } from './profile.tsx'
import { Bindings } from './security/bindings.tsx'
import { Passkeys } from './security/passkeys.tsx'
import { Sessions } from './security/sessions.tsx'
import { TwoFactor } from './security/two-factor.tsx'

/** `/personal`: the caller's own account. Each part is a section of its own that reads what it needs. */
export function PersonalPage({ failed }: { readonly failed: string | undefined }): ReactNode {
  const { t } = useTranslation(['personal', 'third-party'])
  const account = useQuery(ownAccount)
  return (
    <Page title={t('title')}>
      {account.data === undefined ? (
        account.error === null ? (
          <Sketch />
        ) : (
          <ErrorState message={failureText(account.error) ?? ''} onRetry={() => void account.refetch()} />
        )
      ) : (
        <Stack gap="4" maxW="5xl">
          {failed === undefined ? null : (
            <Text role="alert" color="danger.fg">
              {failed === 'oauth.state'
                ? t('third-party:callback.stale')
                : t('third-party:callback.not-bound', { code: failed.slice(0, 60) })}
            </Text>
          )}
          <Profile account={account.data} />
          <Invites account={account.data} />
          <Models />
          <Account account={account.data} />
          <Preferences account={account.data} />
          <Bindings account={account.data} />
          <TwoFactor />
          <Passkeys />
          <Sessions />
          <OwnActions />
        </Stack>
      )}
    </Page>
  )
}

function Sketch(): ReactNode {
  return (
    <Stack gap="4" maxW="5xl" aria-busy>
      <Skeleton height="40" />
      <Skeleton height="24" />
      <Skeleton height="64" />
    </Stack>
  )
}
