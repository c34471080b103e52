import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/states.tsx'

export function NotFoundPage(): ReactNode {
  const { t } = useTranslation(['errors', 'common'])
  return (
    <EmptyState icon={<Compass aria-hidden />} title={t('not-found')} help={t('not-found-help')}>
      <Button asChild variant="outline" mt="2"><Link to="/">{t('common:go-home')}</Link></Button>
    </EmptyState>
  )
}
