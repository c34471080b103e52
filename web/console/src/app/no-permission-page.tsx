import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'

/** For a signed-in user on an administrator’s page. No call was made. */
export function NoPermissionPage(): ReactNode {
  const { t } = useTranslation('errors')
  return <MessagePage icon={<ShieldAlert size={20} aria-hidden />} title={t('no-permission')} help={t('no-permission-help')} />
}
