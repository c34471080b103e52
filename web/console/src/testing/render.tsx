import { ChakraProvider } from '@chakra-ui/react'
import { __unsafe_useEmotionCache as useStyles } from '@emotion/react'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect } from 'react'
import { ErrorPage } from '../app/error-page.tsx'
import { NotFoundPage } from '../app/not-found-page.tsx'
import { PendingPage } from '../app/pending-page.tsx'
import { WaitingBanner } from '../app/waiting-banner.tsx'
import { changeLanguage } from '../i18n/change-language.ts'
import type { Language } from '../i18n/language.ts'
import { startTexts } from '../i18n/start.ts'
import { whenUnauthorized } from '../lib/api.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { rememberAddress } from '../lib/return-address.ts'
import { session } from '../lib/session.ts'
import { toast } from '../lib/toast.ts'
import { noteAway } from '../lib/waits.ts'
import { routeTree } from '../routeTree.gen.ts'
import { system } from '../theme/system.ts'
import { failedCopy } from '../ui/overlay/clipboard.ts'

// Pages come in chunks; on a busy machine a second is too short for the first of them.
configure({ asyncUtilTimeout: 12_000 })

const opened: QueryClient[] = []

type StyleSheet = { insert(rule: string): void }

/** Rules that decide whether a test sees an element or can click it. */
const HIDING = /^@media|display: ?none|visibility|pointer-events/

const thinned = new WeakSet<StyleSheet>()

/** Leaves the other rules out of every sheet: a query for a role reads all rules for each element. */
function thinOut({ sheet }: { readonly sheet: StyleSheet }): void {
  const sheets = Object.getPrototypeOf(sheet) as StyleSheet // the class that emotion makes its sheets of
  if (thinned.has(sheets)) return
  thinned.add(sheets)
  const { insert } = sheets
  sheets.insert = function (this: StyleSheet, rule) {
    if (HIDING.test(rule)) insert.call(this, rule)
  }
}

/** Keeps few rules, and none when the page is left: the tests of a worker share their sheets. */
function OwnStyles(): null {
  const styles = useStyles()
  if (styles !== null) thinOut(styles)
  useEffect(
    () => () => {
      if (styles === null) return
      styles.sheet.flush()
      Object.assign(styles, { inserted: {}, registered: {} })
    },
    [styles],
  )
  return null
}

/** Opens an address in the whole console: router, guards, shell, texts, and the calls a fake control plane answers. */
export async function open(address: string, { language = 'zh' }: { readonly language?: Language } = {}) {
  await startTexts(language)
  await changeLanguage(language)
  const queryClient = createQueryClient()
  opened.push(queryClient)
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 300,
    defaultPreload: false,
  })
  whenUnauthorized(() => {
    rememberAddress(router.state.location.href)
    session.end()
    queryClient.clear()
    void router.navigate({ to: '/login', search: { expired: true } })
  })
  const user = userEvent.setup()
  const view = await act(async () =>
    render(
      <ChakraProvider value={system}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <WaitingBanner />
          <OwnStyles />
        </QueryClientProvider>
      </ChakraProvider>,
    ),
  )
  return { ...view, user, router, queryClient, address: () => router.state.location.href }
}

/** Between tests: nothing remembered, nothing shown. */
export function forgetEverything(): void {
  localStorage.clear()
  sessionStorage.clear()
  // Calls that failed are tried again later, which the next test's control plane would see.
  for (const queryClient of opened.splice(0)) queryClient.clear()
  for (const { id } of toast.current()) toast.dismiss(id)
  noteAway(false)
  failedCopy.close()
  document.documentElement.className = ''
  // Layers that an open dialog or menu laid on the page do not outlive its test.
  document.body.removeAttribute('style')
}
