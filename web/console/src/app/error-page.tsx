import { Button, Code } from '@chakra-ui/react'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../lib/report.ts'
import { EmptyState } from '../ui/states.tsx'
import { NoPermission } from './guards.ts'
import { NoPermissionPage } from './no-permission-page.tsx'

/** What a route shows when its loader or its page threw. */
export function ErrorPage({ error, reset }: ErrorComponentProps): ReactNode {
  const { t } = useTranslation(['errors', 'common'])
  const router = useRouter()
  if (error instanceof NoPermission) return <NoPermissionPage />
  const again = async (): Promise<void> => {
    await router.invalidate()
    reset()
  }
  return (
    <EmptyState icon={<CircleAlert aria-hidden />} title={t('page-broke')} help={t('page-broke-help')}>
      <Code px="2" py="1">{failureText(error) ?? String(error)}</Code>
      <Button mt="2" onClick={() => void again()}>{t('common:retry')}</Button>
    </EmptyState>
  )
}
