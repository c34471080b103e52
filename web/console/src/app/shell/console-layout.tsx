import { Box, Flex } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { session, useUser } from '../../lib/session.ts'
import { Footer } from './footer.tsx'
import { GetStartedBanner } from './get-started.tsx'
import { Sidebar } from './sidebar.tsx'

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
          <Outlet />
        </Box>
        <Footer />
      </Flex>
    </Flex>
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
