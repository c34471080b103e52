import { createFileRoute, Navigate } from '@tanstack/react-router'
import { PersonalPage } from '../../features/personal/page.tsx'
import { loadTexts } from '../../i18n/start.ts'
import { ownAccount } from '../../lib/own-account.ts'
import { useUser } from '../../lib/session.ts'

export const Route = createFileRoute('/_app/personal')({
  // Where a binding that a browser opened as a page failed.
  validateSearch: ({ failed }: Record<string, unknown>): { failed?: string } => (typeof failed === 'string' ? { failed } : {}),
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(ownAccount)
    await loadTexts('personal', 'security', 'third-party', 'deliveries', 'audit')
  },
  component: PersonalRoute,
})

function PersonalRoute() {
  // An organisation has no personal settings: its members have their own.
  if (useUser()?.member !== undefined) return <Navigate to="/organisation" />
  return <OwnPage />
}

function OwnPage() {
  return <PersonalPage failed={Route.useSearch().failed} />
}
