import { createFileRoute } from '@tanstack/react-router'
import { CreateChannelDrawer } from '../../../features/channels/form/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/channel/add')({ component: AddRoute })

function AddRoute() {
  const navigate = Route.useNavigate()
  return <CreateChannelDrawer onClose={() => void navigate({ to: '/channel', search: true })} />
}
