import { Button } from '@chakra-ui/react'
import { Languages } from 'lucide-react'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredUser } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { AccountName } from './account-name.tsx'
import { OnDemand } from './on-demand.tsx'

const fetchLanguages = () => import('./language-menu.tsx')
const LanguageMenu = lazy(async () => ({ default: (await fetchLanguages()).LanguageMenu }))
const fetchAccount = () => import('./account-menu.tsx')
const AccountMenu = lazy(async () => ({ default: (await fetchAccount()).AccountMenu }))

/** One of the languages, each in its own name. */
export function LanguageButton(): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <OnDemand
      menu={LanguageMenu}
      fetch={fetchLanguages}
      button={(on) => (
        <IconButton label={t('language')} aria-haspopup="menu" {...on}>
          <Languages aria-hidden />
        </IconButton>
      )}
    />
  )
}

export function AccountButton({ user }: { readonly user: StoredUser }): ReactNode {
  return (
    <OnDemand
      menu={AccountMenu}
      fetch={fetchAccount}
      button={(on) => (
        <Button variant="ghost" px="1" aria-haspopup="menu" data-hint={user.username} {...on}>
          <AccountName user={user} />
        </Button>
      )}
    />
  )
}
