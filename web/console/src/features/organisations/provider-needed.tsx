import { Button, Flex, Text } from '@chakra-ui/react'
import type { Provider } from '@tollgate/contracts/resources/oauth'
import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseAccount } from '../../lib/organisations.ts'
import { PROVIDER_NAMES } from '../../lib/provider-names.ts'
import { report } from '../../lib/report.ts'
import { goToProvider, isRedirectProvider } from '../../lib/third-party.ts'
import { EmptyState } from '../../ui/page/states.tsx'

type NeededProps = { readonly provider: Provider; readonly isOwner: boolean }

/** The way in where the organisation requires another sign-in; an owner finds the rule below. */
export function ProviderNeeded({ provider, isOwner }: NeededProps): ReactNode {
  const { t } = useTranslation('organisations')
  const name = PROVIDER_NAMES[provider]
  return (
    <EmptyState icon={<ShieldAlert />} title={t('needed.title', { provider: name })} help={t('needed.help', { provider: name })}>
      <Flex gap="2" wrap="wrap" justify="center">
        {isRedirectProvider(provider) ? (
          <Button colorPalette="accent" onClick={() => void goToProvider(provider, 'sign-in').catch(report)}>
            {t('needed.sign-in', { provider: name })}
          </Button>
        ) : null}
        <Button variant="outline" onClick={() => chooseAccount(undefined, '/personal')}>
          {t('needed.own')}
        </Button>
      </Flex>
      {isOwner ? (
        <Text textStyle="sm" color="text.muted">
          {t('needed.owner')}
        </Text>
      ) : null}
    </EmptyState>
  )
}
