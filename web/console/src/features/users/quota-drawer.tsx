import { useQuery } from '@tanstack/react-query'
import type { User } from '@tollgate/contracts/resources/users'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { newFormId } from '../../ui/form/form-id.ts'
import { QuotaField } from '../../ui/form/quota-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type FormProblem } from '../../ui/form/use-resource-form.ts'
import { LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { userById, useUserChanges } from './api.ts'
import { wholeNumber } from './form.ts'

/** Adds to a balance or, with a negative amount, takes from it. */
export function QuotaDrawer({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation('users')
  return (
    <LoadingDrawer title={t('adjust.title')} query={useQuery(userById(id))} onClose={onClose}>
      {(user) => <LoadedQuotaDrawer user={user} onClose={onClose} />}
    </LoadingDrawer>
  )
}

type QuotaForm = { readonly amount: string; readonly reason: string }
const amountOf = (text: string): number | undefined => wholeNumber(text, Number.MIN_SAFE_INTEGER)

function LoadedQuotaDrawer({ user, onClose }: { user: User; onClose: () => void }): ReactNode {
  const { t } = useTranslation('users')
  const [opened] = useState(user)
  const [formId] = useState(newFormId)
  const { adjustQuota } = useUserChanges()
  const form = useResourceForm<QuotaForm>({
    initial: { amount: '', reason: '' },
    isNew: false,
    problemsOf: ({ amount, reason }) => {
      const number = amountOf(amount)
      const problems: FormProblem<QuotaForm>[] = []
      if (number === undefined || number === 0) problems.push({ field: 'amount', message: t('adjust.error-amount') })
      else if (number < 0 && opened.quota + number < 0) problems.push({ field: 'amount', message: t('adjust.error-below') })
      if (reason.trim() === '') problems.push({ field: 'reason', message: t('adjust.error-reason') })
      return problems
    },
    save: async ({ amount, reason }) => {
      await adjustQuota.mutateAsync({ id: opened.id, amount: amountOf(amount) ?? 0, reason: reason.trim(), form_id: formId })
      toast.success(t('done'))
    },
    onSaved: onClose,
  })
  const after = opened.quota + (amountOf(form.values.amount) ?? 0)
  return (
    <FormDrawer title={t('adjust.title')} form={form} onClose={onClose}>
      <FactsList>
        <Fact name={t('column.name')}>{opened.username}</Fact>
        <Fact name={t('adjust.before')}>
          <QuotaText quota={opened.quota} />
        </Fact>
        <Fact name={t('adjust.after')}>
          <QuotaText quota={after} />
        </Fact>
      </FactsList>
      <QuotaField label={t('adjust.amount')} help={t('adjust.amount-help')} {...form.field('amount')} />
      <TextField label={t('adjust.reason')} help={t('adjust.reason-help')} required maxLength={200} {...form.field('reason')} />
    </FormDrawer>
  )
}
