import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'

type CountedProps = { readonly budgets: NonNullable<Explanation['budgets']>; readonly charged: number }

/** Every budget that counted the request, before and after it. */
export function CountedBudgets({ budgets, charged }: CountedProps): ReactNode {
  const { t } = useTranslation('budgets')
  if (budgets.length === 0) return null
  return (
    <FactTable
      label={t('title')}
      rows={budgets}
      idOf={({ id }) => String(id)}
      columns={[
        { id: 'budget', header: t('column.budget'), cell: ({ window, scope }) => `${t(`window.${window}`)} · ${t(`scope.${scope}`)}` },
        { id: 'amount', header: t('field.amount'), cell: ({ amount }) => <QuotaText quota={amount} />, align: 'end' },
        { id: 'before', header: t('column.before'), cell: ({ spent }) => <QuotaText quota={spent} kind="charge" />, align: 'end' },
        { id: 'others', header: t('column.others'), cell: ({ held }) => <QuotaText quota={held} kind="charge" />, align: 'end' },
        { id: 'held', header: t('column.held'), cell: ({ took }) => <QuotaText quota={took} kind="charge" />, align: 'end' },
        { id: 'after', header: t('column.after'), cell: ({ spent }) => <QuotaText quota={spent + charged} kind="charge" />, align: 'end' },
      ]}
    />
  )
}
