import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../features/sign-in/page.tsx'
import { loadTexts } from '../i18n/start.ts'
import { storage } from '../lib/storage.ts'

type LoginSearch = { readonly expired?: true; readonly step?: 'code'; readonly aff?: string }

export const Route = createFileRoute('/login')({
  validateSearch: (search): LoginSearch => ({
    ...(search['expired'] === true || search['expired'] === 'true' ? { expired: true } : {}),
    ...(search['step'] === 'code' ? { step: 'code' } : {}),
    ...(typeof search['aff'] === 'string' || typeof search['aff'] === 'number' ? { aff: `${search['aff']}` } : {}),
  }),
  beforeLoad: ({ search }) => {
    if (search.aff !== undefined && search.aff !== '') storage.set('aff', search.aff)
  },
  loader: () => loadTexts('sign-in', 'third-party'),
  component: Login,
})

function Login() {
  const { expired, step } = Route.useSearch()
  return <LoginPage key={step} isExpired={expired === true} isSecondStep={step === 'code'} />
}
