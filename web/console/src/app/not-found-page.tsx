import { Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'

export function NotFoundPage(): ReactNode {
  const { t } = useTranslation('errors')
  return <MessagePage icon={<Compass size={20} aria-hidden />} title={t('not-found')} help={t('not-found-help')} />
}
