import { createFileRoute, redirect } from '@tanstack/react-router'
import { MovingInPage } from '../../features/moving-in/page.tsx'
import { useProof } from '../../features/personal/security/use-proof.tsx'
import { loadTexts } from '../../i18n/start.ts'
import { isAdmin, session } from '../../lib/session.ts'

export const Route = createFileRoute('/_app/setting_/import')({
  beforeLoad: () => {
    if (!isAdmin(session.user())) throw redirect({ to: '/personal' })
  },
  loader: () => loadTexts('moving-in', 'security'),
  component: ImportRoute,
})

function ImportRoute() {
  const { guarded, dialog } = useProof()
  return (
    <>
      <MovingInPage guarded={guarded} />
      {dialog}
    </>
  )
}
