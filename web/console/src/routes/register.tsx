import { createFileRoute, redirect } from '@tanstack/react-router'
import { RegisterPage } from '../features/registration/register-page.tsx'
import { ThirdParty } from '../features/sign-in/third-party.tsx'
import { loadTexts } from '../i18n/start.ts'
import { siteStatus } from '../lib/status.ts'
import { storage } from '../lib/storage.ts'

type RegisterSearch = { readonly aff?: string }

export const Route = createFileRoute('/register')({
  validateSearch: (search): RegisterSearch =>
    typeof search['aff'] === 'string' || typeof search['aff'] === 'number' ? { aff: `${search['aff']}` } : {},
  beforeLoad: async ({ search, context: { queryClient } }) => {
    if (search.aff !== undefined && search.aff !== '') storage.set('aff', search.aff)
    // Without the status the page shows itself, and the server refuses.
    const status = await queryClient.ensureQueryData(siteStatus).catch(() => undefined)
    if (status?.self_use_mode_enabled === true) throw redirect({ to: '/login' })
  },
  loader: () => loadTexts('registration', 'sign-in', 'third-party'),
  component: Register,
})

function Register() {
  const navigate = Route.useNavigate()
  return <RegisterPage others={<ThirdParty isSignUp onSecondStep={() => void navigate({ to: '/login', search: { step: 'code' } })} />} />
}
