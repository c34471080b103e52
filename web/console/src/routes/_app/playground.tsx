import { createFileRoute } from '@tanstack/react-router'
import { PlaygroundPage } from '../../features/playground/page.tsx'
import { parsePlaygroundSearch, type PlaygroundSearch } from '../../features/playground/search.ts'
import { loadTexts } from '../../i18n/start.ts'
import { ownGroups, ownModels } from '../../lib/own-account.ts'

export const Route = createFileRoute('/_app/playground')({
  validateSearch: (search): PlaygroundSearch => parsePlaygroundSearch(search),
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownGroups)
    void context.queryClient.prefetchQuery(ownModels)
    await loadTexts('playground')
  },
  component: PlaygroundRoute,
})

function PlaygroundRoute() {
  const navigate = Route.useNavigate()
  return <PlaygroundPage tab={Route.useSearch().tab ?? 'chat'} onTab={(tab) => void navigate({ search: parsePlaygroundSearch({ tab }) })} />
}
