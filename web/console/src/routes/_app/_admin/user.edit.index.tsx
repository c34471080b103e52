import { createFileRoute } from '@tanstack/react-router'
import { EditSelfDrawer } from '../../../features/users/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/user/edit/')({ component: DrawerRoute })

function DrawerRoute() {
  const navigate = Route.useNavigate()
  return <EditSelfDrawer onClose={() => void navigate({ to: '/user', search: true })} />
}
