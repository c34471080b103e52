import { Badge, Button, Flex, Skeleton } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sessions, type Session } from '@tollgate/contracts/resources/sessions'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { useLeave } from '../../../lib/leave.ts'
import { failureText, report } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { ownSessions } from './api.ts'

/** The browsers that are signed in to the account, each with a way to end it. */
export function Sessions(): ReactNode {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const leave = useLeave()
  const list = useQuery(ownSessions)
  const confirm = useConfirm()
  const endOne = async (id: string): Promise<void> => {
    try {
      await call(sessions.remove, { params: { id } })
      toast.success(t('sessions.ended'))
      await client.invalidateQueries({ queryKey: ownSessions.queryKey })
    } catch (error) {
      report(error)
    }
  }
  const endAll = async (): Promise<void> => {
    try {
      await leave(() => call(sessions.removeAll, {}))
    } catch (error) {
      report(error)
    }
  }
  const end = (one: Session): void =>
    confirm.ask({
      title: t('sessions.end-title'),
      help: t('sessions.end-help', { device: one.ip }),
      confirm: t('sessions.end'),
      run: () => endOne(one.id),
    })
  const all = (
    <Button
      size="sm"
      variant="outline"
      onClick={() =>
        confirm.ask({
          title: t('sessions.end-all-title'),
          help: t('sessions.end-all-help'),
          confirm: t('sessions.end-all'),
          run: endAll,
        })
      }
    >
      {t('sessions.end-all')}
    </Button>
  )
  return (
    <Panel title={t('sessions.title')} help={t('sessions.help')} action={all} isFlush>
      {list.error === null ? null : <ErrorState message={failureText(list.error) ?? ''} onRetry={() => void list.refetch()} />}
      {list.isPending ? <Skeleton height="12" m="4" /> : null}
      {list.data?.map((one) => (
        <SessionRow key={one.id} session={one} onEnd={() => end(one)} />
      ))}
      {confirm.dialog}
    </Panel>
  )
}

function SessionRow({ session: one, onEnd }: { readonly session: Session; readonly onEnd: () => void }): ReactNode {
  const { t } = useTranslation('security')
  return (
    <PanelRow
      title={
        <Flex as="span" align="center" gap="2" wrap="wrap">
          {one.ip}
          {one.is_current ? <Badge colorPalette="success">{t('sessions.current')}</Badge> : null}
        </Flex>
      }
      action={
        one.is_current ? undefined : (
          <Button size="sm" variant="ghost" colorPalette="danger" aria-label={`${t('sessions.end')} ${one.ip}`} onClick={onEnd}>
            {t('sessions.end')}
          </Button>
        )
      }
    >
      {t('sessions.since', { time: timeText(one.created_at) })}
      {' · '}
      {one.user_agent === '' ? t('sessions.unknown') : one.user_agent}
    </PanelRow>
  )
}
