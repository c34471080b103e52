import { createFileRoute, notFound, useRouter } from '@tanstack/react-router'
import { CallbackPage } from '../features/sign-in/callback-page.tsx'
import { loadTexts } from '../i18n/start.ts'
import { isRedirectProvider } from '../lib/third-party.ts'

export const Route = createFileRoute('/oauth/$provider')({
  beforeLoad: ({ params }) => {
    if (!isRedirectProvider(params.provider)) throw notFound()
  },
  loader: () => loadTexts('third-party', 'sign-in'),
  component: Callback,
})

function Callback() {
  const { provider } = Route.useParams()
  const { history } = useRouter()
  // As it came: the router reads a code such as 12e34 as a number.
  const given = new URLSearchParams(history.location.search)
  return isRedirectProvider(provider) ? <CallbackPage provider={provider} given={given} /> : null
}
