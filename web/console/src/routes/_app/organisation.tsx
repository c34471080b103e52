import { createFileRoute, Navigate } from '@tanstack/react-router'
import { OrganisationPage } from '../../features/organisations/page.tsx'
import { useProof } from '../../features/personal/security/use-proof.tsx'
import { loadTexts } from '../../i18n/start.ts'
import { useUser } from '../../lib/session.ts'

export const Route = createFileRoute('/_app/organisation')({
  loader: () => loadTexts('organisations', 'security'),
  component: OrganisationRoute,
})

function OrganisationRoute() {
  return useUser()?.member === undefined ? <Navigate to="/organisations" /> : <Chosen />
}

function Chosen() {
  const { guarded, dialog } = useProof()
  return (
    <>
      <OrganisationPage guarded={guarded} />
      {dialog}
    </>
  )
}
