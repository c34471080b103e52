import { Box, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAccount } from '../../lib/own-account.ts'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { Budgets } from '../../ui/budgets/budgets.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SpendDays } from './days/spend-days.tsx'
import { SpendAlerts } from './alerts/alerts.tsx'
import { OnlineTopUp } from './online/online-top-up.tsx'
import { OwnOrders, ReturnedOrder } from './online/own-orders.tsx'
import type { WalletSearch } from './search.ts'
import { Redeem } from './statement/redeem.tsx'
import { Statement } from './statement/statement.tsx'

/** `/topup`: the own balance and the ways to raise it. */
export function WalletPage({ search }: { readonly search: WalletSearch }): ReactNode {
  const { t } = useTranslation(['wallet', 'budgets'])
  const { data } = useQuery(ownAccount)
  return (
    <Page title={t('title')} lead={<span data-no-print="">{t('account', { name: data?.username ?? '—' })}</span>}>
      <Stack gap="4" maxW="5xl">
        <Stack gap="4" data-no-print="">
          {search.order === undefined ? null : <ReturnedOrder trade_no={search.order} />}
          <StatRow>
            <StatCard label={t('balance')}>{data === undefined ? '—' : <QuotaText quota={data.quota} />}</StatCard>
            <StatCard label={t('spent')}>{data === undefined ? '—' : <QuotaText quota={data.used_quota} />}</StatCard>
            <StatCard label={t('requests')}>{data === undefined ? '—' : groupDigits(data.request_count)}</StatCard>
          </StatRow>
          <OnlineTopUp />
          <Redeem />
          <OwnOrders />
        </Stack>
        <Statement />
        <Box data-no-print="">
          <SpendDays />
        </Box>
        <Box data-no-print="">
          <Stack gap="4">
            <Panel title={t('budgets:title')} help={t('budgets:own-help')}>
              <Budgets owner={{}} canAdd={false} isMixed />
            </Panel>
            <SpendAlerts account={data} />
          </Stack>
        </Box>
      </Stack>
    </Page>
  )
}
