import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { userAccess } from '@tollgate/contracts/resources/user-access'
import type { User } from '@tollgate/contracts/resources/users'
import { ScanEye } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { ownAccount } from '../../lib/own-account.ts'
import { report } from '../../lib/report.ts'
import { session } from '../../lib/session.ts'

/** Shows the console as the user sees it, without changes. */
export function ViewAs({ user, guarded }: { readonly user: User; readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const navigate = useNavigate()
  const begin = async (): Promise<void> => {
    const seen = await guarded(() => call(userAccess.view, { params: { id: user.id } }))
    const { id, username, display_name, role, status, group } = seen
    session.start({ id, username, display_name, role, status, group, viewed_by: session.user()?.username ?? '' })
    // The user may not read what this page shows: it is left before it is forgotten.
    client.removeQueries({ type: 'inactive' })
    await navigate({ to: '/detail' })
    // The balance above the page is in both consoles.
    await client.resetQueries({ queryKey: ownAccount.queryKey })
  }
  return (
    <Button size="sm" variant="outline" data-hint={t('view.help')} onClick={() => void begin().catch(report)}>
      <ScanEye />
      {t('view.begin')}
    </Button>
  )
}
