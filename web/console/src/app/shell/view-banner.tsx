import { Button, Flex } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { userAccess } from '@tollgate/contracts/resources/user-access'
import { call } from '../../lib/api.ts'
import { report } from '../../lib/report.ts'
import { session } from '../../lib/session.ts'
import type { StoredUser } from '../../lib/storage.ts'

/** Says that an administrator looks at the account of another, and ends it. */
export function ViewBanner({ user }: { readonly user: StoredUser }): ReactNode {
  const { t } = useTranslation('display')
  const client = useQueryClient()
  const navigate = useNavigate()
  const end = async (): Promise<void> => {
    const { id, username, display_name, role, status, group } = await call(userAccess.endView, {})
    client.clear()
    session.start({ id, username, display_name, role, status, group })
    await navigate({ to: '/user', search: { open: user.id } })
  }
  return (
    <Flex role="status" align="center" justify="center" wrap="wrap" gap="3" px="4" py="1.5" bg="warning.subtle" color="warning.fg">
      {t('view.text', { name: user.username })}
      <Button size="xs" variant="outline" onClick={() => void end().catch(report)}>
        {t('view.end')}
      </Button>
    </Flex>
  )
}
