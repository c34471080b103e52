import { createFileRoute, redirect } from '@tanstack/react-router'
import { useEffect } from 'react'
import { RegisterPage } from '../features/registration/register-page.tsx'
import { ThirdParty } from '../features/sign-in/third-party.tsx'
import { loadTexts } from '../i18n/start.ts'
import { siteStatus, useSiteStatus } from '../lib/status.ts'
import { storage } from '../lib/storage.ts'

type RegisterSearch = { readonly aff?: string }

export const Route = createFileRoute('/register')({
  validateSearch: (search): RegisterSearch =>
    typeof search['aff'] === 'string' || typeof search['aff'] === 'number' ? { aff: `${search['aff']}` } : {},
  beforeLoad: async ({ search, context: { queryClient } }) => {
    if (search.aff !== undefined && search.aff !== '') storage.set('aff', search.aff)
    // The form does not wait for a status that may not come: the page looks again when it is here, and the server refuses.
    if (queryClient.getQueryData(siteStatus.queryKey)?.self_use_mode_enabled === true) throw redirect({ to: '/login' })
  },
  loader: () => loadTexts('registration', 'sign-in', 'third-party'),
  component: Register,
})

function Register() {
  const navigate = Route.useNavigate()
  const isClosed = useSiteStatus()?.self_use_mode_enabled === true
  useEffect(() => {
    if (isClosed) void navigate({ to: '/login', replace: true })
  }, [isClosed, navigate])
  if (isClosed) return null
  return <RegisterPage others={<ThirdParty isSignUp onSecondStep={() => void navigate({ to: '/login', search: { step: 'code' } })} />} />
}
