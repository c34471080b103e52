import { Button, Code, Flex } from '@chakra-ui/react'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../lib/report.ts'
import { NoPermission } from './guards.ts'
import { MessagePage } from './message-page.tsx'
import { NoPermissionPage } from './no-permission-page.tsx'

/** Shown by a route when its loader or its page threw. */
export function ErrorPage({ error, reset }: ErrorComponentProps): ReactNode {
  const { t } = useTranslation(['errors', 'common'])
  const router = useRouter()
  if (error instanceof NoPermission) return <NoPermissionPage />
  const again = async (): Promise<void> => {
    await router.invalidate()
    reset()
  }
  return (
    <MessagePage icon={<CircleAlert size={20} aria-hidden />} title={t('page-broke')} help={t('page-broke-help')}>
      <Flex direction="column" align="center" gap="4">
        <Code px="2" py="1" maxW="2xl">
          {failureText(error) ?? String(error)}
        </Code>
        <Button onClick={() => void again()}>{t('common:retry')}</Button>
      </Flex>
    </MessagePage>
  )
}
