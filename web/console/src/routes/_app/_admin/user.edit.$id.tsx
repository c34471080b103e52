import { createFileRoute } from '@tanstack/react-router'
import { useProof } from '../../../features/personal/security/use-proof.tsx'
import { EditUserDrawer } from '../../../features/users/drawer.tsx'

export const Route = createFileRoute('/_app/_admin/user/edit/$id')({ component: EditRoute })

function EditRoute() {
  const navigate = Route.useNavigate()
  const { id } = Route.useParams()
  const { guarded, dialog } = useProof()
  return (
    <>
      <EditUserDrawer key={id} id={Number(id)} guarded={guarded} onClose={() => void navigate({ to: '/user', search: true })} />
      {dialog}
    </>
  )
}
