import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.ts'
import { startTexts } from './i18n/start.ts'
import { whenUnauthorized } from './lib/api.ts'
import { createQueryClient } from './lib/query-client.ts'
import { rememberAddress } from './lib/return-address.ts'
import { session } from './lib/session.ts'
import { printInLight } from './lib/theme-mode.ts'

const place = document.querySelector('#root')
if (place === null) throw new Error('index.html has no #root')

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)

whenUnauthorized(() => {
  const { member } = session.user() ?? {}
  // The membership has ended, or the session: the person's own account tells.
  if (member !== undefined) {
    session.start(member.user)
    location.assign('/organisations')
    return
  }
  rememberAddress(router.state.location.href)
  session.end()
  queryClient.clear()
  void router.navigate({ to: '/login', search: { expired: true } })
})

printInLight()
await startTexts()
createRoot(place).render(
  <StrictMode>
    <App router={router} queryClient={queryClient} />
  </StrictMode>,
)
