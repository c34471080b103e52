import { createFileRoute } from '@tanstack/react-router'
import { ownAccount } from '../../features/wallet/api.ts'
import { WalletPage } from '../../features/wallet/page.tsx'
import { parseWalletSearch } from '../../features/wallet/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/topup')({
  validateSearch: parseWalletSearch,
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownAccount)
    await Promise.all([loadTexts('wallet'), loadTexts('payments'), loadTexts('statement')])
  },
  component: TopUpRoute,
})

function TopUpRoute() {
  return <WalletPage search={Route.useSearch()} />
}
