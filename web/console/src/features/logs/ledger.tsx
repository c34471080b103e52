import { chakra } from '@chakra-ui/react'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { toLedger } from './explanation-view.ts'

type LedgerProps = {
  readonly explanation: Explanation
  readonly charged: number
  /** Null where it was not recorded. */
  readonly tokenCharge: number | null
}

/** Amounts held, charged and returned, and the balance after the hold. */
export function Ledger({ explanation, charged, tokenCharge }: LedgerProps): ReactNode {
  const { t } = useTranslation('logs')
  const ledger = toLedger(explanation, charged)
  return (
    <>
      <StatRow>
        <StatCard label={t('explain.held')}>
          <QuotaText quota={ledger.held} kind="charge" />
        </StatCard>
        <StatCard label={t('explain.charged')}>
          <QuotaText quota={ledger.charged} kind="charge" />
        </StatCard>
        {ledger.added > 0 ? (
          <StatCard label={t('explain.charged-more')}>
            <QuotaText quota={ledger.added} kind="charge" />
          </StatCard>
        ) : (
          <StatCard label={t('explain.returned')}>
            <QuotaText quota={ledger.returned} kind="charge" />
          </StatCard>
        )}
        {ledger.balance === undefined ? null : (
          <StatCard label={t('explain.balance')}>
            <QuotaText quota={ledger.balance} />
          </StatCard>
        )}
      </StatRow>
      {ledger.token_held > 0 || (tokenCharge ?? 0) > 0 ? (
        <chakra.p textStyle="xs" color="text.muted" display="flex" flexWrap="wrap" columnGap="4">
          <span>
            {t('explain.held-token')} <QuotaText quota={ledger.token_held} kind="charge" />
          </span>
          {tokenCharge === null ? null : (
            <span>
              {t('explain.token-charged')} <QuotaText quota={tokenCharge} kind="charge" />
            </span>
          )}
        </chakra.p>
      ) : null}
      <CountedBudgets budgets={explanation.budgets ?? []} charged={charged} />
    </>
  )
}

type CountedProps = { readonly budgets: NonNullable<Explanation['budgets']>; readonly charged: number }

/** Every budget that counted the request, before and after it. */
function CountedBudgets({ budgets, charged }: CountedProps): ReactNode {
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
