import { Box, Flex } from '@chakra-ui/react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { loadTexts } from '../../i18n/start.ts'
import { useNeededProvider } from '../../lib/organisations.ts'
import { session, useUser } from '../../lib/session.ts'
import { Footer } from './footer.tsx'
import { GetStartedBanner } from './get-started.tsx'
import { Sidebar } from './sidebar.tsx'

const ProviderNeeded = lazy(async () => {
  const [{ ProviderNeeded: component }] = await Promise.all([import('./provider-needed.tsx'), loadTexts('organisation-access')])
  return { default: component }
})

/** Sidebar and padded content; the frame of every console page. Visitors of a public page have no sidebar. */
export function ConsoleLayout(): ReactNode {
  const user = useUser()
  useChosenElsewhere(user?.id)
  return (
    <Flex flex="1" minW="0">
      {user === undefined ? null : <Sidebar />}
      <Flex direction="column" flex="1" minW="0">
        <GetStartedBanner />
        <Box as="main" id="content" tabIndex={-1} flex="1" minW="0" px={{ base: '3', sm: '6' }} py={{ base: '4', sm: '5' }} outline="0">
          <Content />
        </Box>
        <Footer />
      </Flex>
    </Flex>
  )
}

/** The page; of an organisation that requires another sign-in, how to get it. An owner still reaches the rule. */
function Content(): ReactNode {
  const provider = useNeededProvider()
  const role = useUser()?.member?.role
  const { pathname } = useLocation()
  const isRule = role === 'owner' && pathname === '/organisation'
  if (provider === undefined || isRule) return <Outlet />
  return (
    <Suspense fallback={null}>
      <ProviderNeeded provider={provider} isOwner={role === 'owner'} />
    </Suspense>
  )
}

/** Loads the page again when another tab has chosen another account: calls would be made for that one, and the page shows this one. */
function useChosenElsewhere(id: number | undefined): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent): void => {
      const now = session.user()?.id
      if (key === 'user' && id !== undefined && now !== undefined && now !== id) window.location.reload()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [id])
}
