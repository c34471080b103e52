// The sign-in page is drawn in the system's typeface, because the file weighs more than all its other parts but the framework.
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
import { Box, Flex } from '@chakra-ui/react'
import { Global } from '@emotion/react'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { Footer } from './footer.tsx'
import { GetStartedBanner } from './get-started.tsx'
import { Sidebar } from './sidebar.tsx'

// Latin letters and digits only; other scripts, code and keys are set in the system's typefaces.
const FACE = {
  '@font-face': {
    fontFamily: 'Inter Variable',
    fontWeight: '100 900',
    fontDisplay: 'swap',
    src: `url(${inter}) format('woff2-variations')`,
    unicodeRange: 'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212',
  },
} as const

/** Sidebar and padded content; the frame of every console page. Visitors of a public page have no sidebar. */
export function ConsoleLayout(): ReactNode {
  const user = useUser()
  return (
    <Flex flex="1" minW="0">
      <Global styles={FACE} />
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
