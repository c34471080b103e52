import { LogType } from '@tollgate/contracts/enums'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ChannelsPage } from '../../../features/channels/page.tsx'
import { parseChannelSearch, type ChannelSearch } from '../../../features/channels/search.ts'
import { loadTexts } from '../../../i18n/start.ts'
import { groupNames } from '../../../lib/group-names.ts'

export const Route = createFileRoute('/_app/_admin/channel')({
  validateSearch: (search): ChannelSearch => parseChannelSearch(search),
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(groupNames)
    await loadTexts('channels')
  },
  component: ChannelRoute,
})

function ChannelRoute() {
  const navigate = Route.useNavigate()
  return (
    <ChannelsPage
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ to: '/channel', search: parseChannelSearch(search) })}
      onAdd={() => void navigate({ to: '/channel/add', search: true })}
      onEdit={(id) => void navigate({ to: '/channel/edit/$id', params: { id: String(id) }, search: true })}
      onErrors={({ id }) => void navigate({ to: '/log', search: { channel: id, type: LogType.error } })}
    >
      <Outlet />
    </ChannelsPage>
  )
}
