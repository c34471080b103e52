import { createFileRoute } from '@tanstack/react-router'
import { useProof } from '../../../features/personal/security/use-proof.tsx'
import { EditSelfDrawer } from '../../../features/users/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/user/edit/')({ component: DrawerRoute })

function DrawerRoute() {
  const navigate = Route.useNavigate()
  const { guarded, dialog } = useProof()
  return (
    <>
      <EditSelfDrawer guarded={guarded} onClose={() => void navigate({ to: '/user', search: true })} />
      {dialog}
    </>
  )
}
