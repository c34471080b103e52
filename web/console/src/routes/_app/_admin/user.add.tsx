import { createFileRoute } from '@tanstack/react-router'
import { CreateUserDrawer } from '../../../features/users/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/user/add')({ component: DrawerRoute })

function DrawerRoute() {
  const navigate = Route.useNavigate()
  return <CreateUserDrawer onClose={() => void navigate({ to: '/user', search: true })} />
}
