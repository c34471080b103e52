import { createFileRoute } from '@tanstack/react-router'
import { WalletPage } from '../../features/wallet/page.tsx'
import { parseWalletSearch } from '../../features/wallet/search.ts'
import { loadTexts } from '../../i18n/start.ts'
import { ownAccount } from '../../lib/own-account.ts'

export const Route = createFileRoute('/_app/topup')({
  validateSearch: parseWalletSearch,
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownAccount)
    await Promise.all([loadTexts('wallet', 'budgets'), loadTexts('payments'), loadTexts('statement')])
  },
  component: TopUpRoute,
})

function TopUpRoute() {
  return <WalletPage search={Route.useSearch()} />
}
