import { createFileRoute } from '@tanstack/react-router'
import { EditUserDrawer } from '../../../features/users/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/user/edit/$id')({ component: EditRoute })

function EditRoute() {
  const navigate = Route.useNavigate()
  const { id } = Route.useParams()
  return <EditUserDrawer key={id} id={Number(id)} onClose={() => void navigate({ to: '/user', search: true })} />
}
