import { useQuery } from '@tanstack/react-query'
import { SPEND_PERIODS, type SpendPeriod } from '@tollgate/contracts/resources/spend-alerts'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { LabelledField } from '../../../ui/form/labelled-field.tsx'
import { QuotaField } from '../../../ui/form/quota-field.tsx'
import { Select } from '../../../ui/form/select-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { offeredTokens, useAlertChanges } from './api.ts'

const ACCOUNT = '0'

/** Asks for whose spending, in which period, and from how much on. */
export function AlertDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('statement')
  const { save } = useAlertChanges()
  const { data: tokens = [] } = useQuery(offeredTokens)
  const [token, setToken] = useState(ACCOUNT)
  const [period, setPeriod] = useState<SpendPeriod>('month')
  const [threshold, setThreshold] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const submit = (): void => {
    if (!(Number(threshold) > 0)) return setProblem(t('alerts.blank'))
    save.mutate(
      { token_id: Number(token), period, threshold: Number(threshold) },
      {
        onError: (error) => setProblem(failureText(error)),
        onSuccess: () => {
          toast.success(t('alerts.saved'))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog title={t('alerts.add')} submit={t('alerts.save')} isBusy={save.isPending} onSubmit={submit} onClose={onClose}>
      <LabelledField label={t('alerts.subject')}>
        <Select
          isWide
          label={t('alerts.subject')}
          value={token}
          choices={[
            { value: ACCOUNT, label: t('alerts.account') },
            ...tokens.map(({ id, name }) => ({ value: String(id), label: t('alerts.token', { name }) })),
          ]}
          onChange={setToken}
        />
      </LabelledField>
      <LabelledField label={t('alerts.period.label')}>
        <Select
          isWide
          label={t('alerts.period.label')}
          value={period}
          choices={SPEND_PERIODS.map((value) => ({ value, label: t(`alerts.period.${value}`) }))}
          onChange={(value) => setPeriod(SPEND_PERIODS.find((one) => one === value) ?? 'month')}
        />
      </LabelledField>
      <QuotaField
        label={t('alerts.threshold')}
        help={t('alerts.threshold-help')}
        value={threshold}
        onValue={(value) => {
          setThreshold(value)
          setProblem(undefined)
        }}
        error={problem}
        field="threshold"
      />
    </FormDialog>
  )
}
