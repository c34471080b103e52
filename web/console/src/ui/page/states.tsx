import { Button, EmptyState as Empty } from '@chakra-ui/react'
import { CircleAlert, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Says what belongs here and offers the action that brings it. */
export function EmptyState({
  title,
  help,
  icon,
  children,
}: {
  title: string
  help: string
  icon?: ReactNode
  children?: ReactNode
}): ReactNode {
  return (
    <Empty.Root>
      <Empty.Content>
        <Empty.Indicator>{icon ?? <Inbox />}</Empty.Indicator>
        <Empty.Title>{title}</Empty.Title>
        <Empty.Description>{help}</Empty.Description>
        {children}
      </Empty.Content>
    </Empty.Root>
  )
}

/** Says what happened, what was kept, and what to do. */
export function ErrorState({ message, onRetry }: { message: string; onRetry: () => void }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Empty.Root role="alert">
      <Empty.Content>
        <Empty.Indicator color="danger.fg">
          <CircleAlert />
        </Empty.Indicator>
        <Empty.Title>{t('table.failed')}</Empty.Title>
        <Empty.Description overflowWrap="anywhere">{message === '' ? t('table.failed-help') : message}</Empty.Description>
        <Button variant="outline" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </Empty.Content>
    </Empty.Root>
  )
}
