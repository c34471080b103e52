import { createFileRoute, redirect } from '@tanstack/react-router'
import { SetupPage } from '../features/setup/page.tsx'
import { setupStatus } from '../features/setup/api.ts'
import { loadTexts } from '../i18n/start.ts'

type SetupSearch = { readonly code?: string }

export const Route = createFileRoute('/setup')({
  validateSearch: (search): SetupSearch =>
    typeof search['code'] === 'string' || typeof search['code'] === 'number' ? { code: `${search['code']}` } : {},
  loader: async ({ context }) => {
    const [status] = await Promise.all([context.queryClient.fetchQuery(setupStatus).catch(() => undefined), loadTexts('setup')])
    if (status?.status === true) throw redirect({ to: '/', reloadDocument: true })
  },
  component: Setup,
})

function Setup() {
  return <SetupPage code={Route.useSearch().code ?? ''} />
}
