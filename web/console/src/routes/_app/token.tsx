import { createFileRoute } from '@tanstack/react-router'
import { tokenPage } from '../../features/tokens/token-page.ts'
import { TokensPage } from '../../features/tokens/page.tsx'
import { parseTokenSearch, type TokenSearch } from '../../features/tokens/search.ts'
import { loadTexts } from '../../i18n/start.ts'
import { storedPageSize } from '../../ui/list/page-size.ts'

export const Route = createFileRoute('/_app/token')({
  validateSearch: (search): TokenSearch => parseTokenSearch(search),
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(tokenPage(1, storedPageSize()))
    await loadTexts('tokens', 'snippets')
  },
  component: TokenRoute,
})

function TokenRoute() {
  const navigate = Route.useNavigate()
  return <TokensPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseTokenSearch(search) })} />
}
