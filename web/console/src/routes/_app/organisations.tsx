import { createFileRoute } from '@tanstack/react-router'
import { OwnOrganisationsPage } from '../../features/organisations/own-page.tsx'
import { useProof } from '../../features/personal/security/use-proof.tsx'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/organisations')({
  // The code of an invitation link.
  validateSearch: ({ code }: Record<string, unknown>): { code?: string } => (typeof code === 'string' ? { code } : {}),
  loader: () => loadTexts('organisations', 'security'),
  component: OrganisationsRoute,
})

function OrganisationsRoute() {
  const navigate = Route.useNavigate()
  const { guarded, dialog } = useProof()
  return (
    <>
      <OwnOrganisationsPage
        code={Route.useSearch().code}
        onCodeUsed={() => void navigate({ search: {}, replace: true })}
        guarded={guarded}
      />
      {dialog}
    </>
  )
}
