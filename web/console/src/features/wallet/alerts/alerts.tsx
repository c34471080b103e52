import { Box, Button, chakra, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { SpendAlert } from '@tollgate/contracts/resources/spend-alerts'
import type { User } from '@tollgate/contracts/resources/users'
import { Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { IconButton } from '../../../ui/display/icon-button.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { SwitchField } from '../../../ui/form/labelled-field.tsx'
import { Panel, PanelRow } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { AlertDialog } from './alert-dialog.tsx'
import { ownAlerts, useAlertChanges } from './api.ts'

/** Thresholds of spending that the user wants to be told of, and the weekly report. */
export function SpendAlerts({ account }: { readonly account: User | undefined }): ReactNode {
  const { t } = useTranslation('statement')
  const { data = [], error, refetch } = useQuery(ownAlerts)
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      isFlush
      title={t('alerts.title')}
      help={t('alerts.help')}
      action={
        <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
          <Plus aria-hidden />
          {t('alerts.add')}
        </Button>
      }
    >
      {error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />}
      {data.map((alert) => (
        <AlertRow key={alert.id} alert={alert} />
      ))}
      {data.length === 0 && error === null ? (
        <Text px="4" py="3" color="text.muted" borderBottomWidth="1px" borderColor="border">
          {t('alerts.none')}
        </Text>
      ) : null}
      {account === undefined ? null : <WeeklyReport account={account} />}
      {isOpen ? <AlertDialog onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}

function AlertRow({ alert: { id, token_id, token_name, period, threshold, spent } }: { readonly alert: SpendAlert }): ReactNode {
  const { t } = useTranslation('statement')
  const { remove } = useAlertChanges()
  const name = token_id === 0 ? t('alerts.account') : t('alerts.token', { name: token_name })
  return (
    <PanelRow
      title={name}
      action={
        <IconButton
          size="sm"
          variant="ghost"
          label={t('alerts.remove', { name })}
          loading={remove.isPending}
          onClick={() => remove.mutate(id)}
        >
          <Trash2 />
        </IconButton>
      }
    >
      {t(`alerts.period.${period}`)}
      {' · '}
      <chakra.span color={spent >= threshold ? 'warning.fg' : 'inherit'}>
        <QuotaText quota={spent} />
        {' / '}
        <QuotaText quota={threshold} />
      </chakra.span>
    </PanelRow>
  )
}

/** Sent unless the setting says no. */
function WeeklyReport({ account }: { readonly account: User }): ReactNode {
  const { t } = useTranslation('statement')
  const { report } = useAlertChanges()
  const isOn = report.isPending ? report.variables : !/"weekly_report":\s*false/.test(account.setting)
  return (
    <Box px="4" py="3">
      <SwitchField
        label={t('alerts.report')}
        help={t('alerts.report-help')}
        value={isOn}
        onValue={(wanted) => report.mutate(wanted, { onSuccess: () => toast.success(t('alerts.saved')) })}
      />
    </Box>
  )
}
