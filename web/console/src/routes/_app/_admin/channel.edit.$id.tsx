import { createFileRoute } from '@tanstack/react-router'
import { EditChannelDrawer } from '../../../features/channels/form/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/channel/edit/$id')({ component: EditRoute })

function EditRoute() {
  const navigate = Route.useNavigate()
  const { id } = Route.useParams()
  return <EditChannelDrawer key={id} id={Number(id)} onClose={() => void navigate({ to: '/channel', search: true })} />
}
