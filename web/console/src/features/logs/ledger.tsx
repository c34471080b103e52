import { chakra } from '@chakra-ui/react'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { loadTexts } from '../../i18n/start.ts'
import { toLedger } from './explanation-view.ts'

const CountedBudgets = lazy(async () => {
  const [{ CountedBudgets: component }] = await Promise.all([import('./counted-budgets.tsx'), loadTexts('budgets')])
  return { default: component }
})

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
      {explanation.budgets === undefined ? null : (
        <Suspense fallback={null}>
          <CountedBudgets budgets={explanation.budgets} charged={charged} />
        </Suspense>
      )}
    </>
  )
}
