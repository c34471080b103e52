import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/states.tsx'

/** For a signed-in user on an administrator’s page. No call was made. */
export function NoPermissionPage(): ReactNode {
  const { t } = useTranslation(['errors', 'common'])
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title={t('no-permission')} help={t('no-permission-help')}>
      <Button asChild variant="outline" mt="2"><Link to="/">{t('common:go-home')}</Link></Button>
    </EmptyState>
  )
}
