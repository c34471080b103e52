import { createFileRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../app/guards.ts'
import { MovingInPage } from '../../features/moving-in/page.tsx'
import { useProof } from '../../features/personal/security/use-proof.tsx'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/setting_/import')({
  beforeLoad: requireAdmin,
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
