import { createFileRoute, Navigate } from '@tanstack/react-router'
import { OrganisationPage } from '../../features/organisations/page.tsx'
import { OwnActions } from '../../features/personal/own-actions.tsx'
import { useProof } from '../../features/personal/security/use-proof.tsx'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../i18n/start.ts'
import { useUser } from '../../lib/session.ts'

export const Route = createFileRoute('/_app/organisation')({
  loader: () => loadTexts('organisations', 'security', 'personal', 'audit'),
  component: OrganisationRoute,
})

function OrganisationRoute() {
  return useUser()?.member === undefined ? <Navigate to="/organisations" /> : <Chosen />
}

function Chosen() {
  const { t } = useTranslation('organisations')
  const { guarded, dialog } = useProof()
  return (
    <>
      <OrganisationPage guarded={guarded} audit={<OwnActions shared={{ title: t('audit.title'), help: t('audit.help') }} />} />
      {dialog}
    </>
  )
}
