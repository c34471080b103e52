import { Box, chakra, Flex } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../i18n/start.ts'
import { useUser } from '../../lib/session.ts'
import { useShownTitle } from '../../lib/page-title.ts'
import { reportStatusFailure, siteStatus, useBrand } from '../../lib/status.ts'
import { failedCopy } from '../../ui/overlay/clipboard.ts'
import { HintLayer } from '../../ui/overlay/hint-layer.tsx'
import { Toaster } from '../toaster.tsx'
import { Footer } from './footer.tsx'
import { Typeface } from './typeface.tsx'
import { TopBar } from './top-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { Notice } from './notice.tsx'

const ViewBanner = lazy(async () => ({ default: (await import('./view-banner.tsx')).ViewBanner }))
const MobileMenu = lazy(async () => ({ default: (await import('./mobile-menu.tsx')).MobileMenu }))
const Palette = lazy(async () => {
  const [{ Palette: component }] = await Promise.all([import('./palette/palette.tsx'), loadTexts('palette')])
  return { default: component }
})
const CopyFallback = lazy(async () => ({ default: (await import('../../ui/overlay/copy-fallback.tsx')).CopyFallback }))

/** The frame around every page. Big parts that open on demand are fetched on demand. */
export function Shell(): ReactNode {
  const [open, setOpen] = useState<'menu' | 'palette' | undefined>(undefined)
  const close = (): void => setOpen(undefined)
  const user = useUser()
  useShortcuts({ onPalette: () => setOpen('palette') })
  useSiteWatch()
  return (
    <Flex direction="column" minH="100dvh">
      <Typeface />
      <SkipLink />
      <TopBar onMenu={() => setOpen('menu')} onSearch={() => setOpen('palette')} />
      {user?.viewed_by === undefined ? null : (
        <Suspense fallback={null}>
          <ViewBanner user={user} />
        </Suspense>
      )}
      <Flex direction="column" flex="1" minW="0">
        <Outlet />
      </Flex>
      <PageFooter />
      <Toaster />
      <HintLayer />
      <Suspense fallback={null}>
        {open === 'menu' ? <MobileMenu isOpen onClose={close} /> : null}
        {open === 'palette' ? <Palette onClose={close} /> : null}
        <FailedCopy />
      </Suspense>
      <Suspense fallback={null}>
        <Notice />
      </Suspense>
    </Flex>
  )
}

/** Beside a sidebar the layout places the footer itself. */
function PageFooter(): ReactNode {
  const isInConsole = useMatches({
    select: (matches) => matches.some((match) => match.routeId === '/_app' || match.routeId === '/_public'),
  })
  return isInConsole ? null : <Footer />
}

function FailedCopy(): ReactNode {
  const text = useSyncExternalStore(failedCopy.subscribe, failedCopy.current)
  return text === undefined ? null : <CopyFallback />
}

function SkipLink(): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <Box
      asChild
      data-no-print=""
      position="fixed"
      top="2"
      insetInlineStart="2"
      zIndex="toast"
      px="3"
      py="1.5"
      bg="inverted"
      color="text.inverted"
      borderRadius="control"
      textStyle="sm"
      transform="translateY(-200%)"
      _focus={{ transform: 'none' }}
    >
      <chakra.a href="#content">{t('skip-to-content')}</chakra.a>
    </Box>
  )
}

/** Follows the site status: shows its failure, sends a site without setup to the setup page, and sets the window title. */
function useSiteWatch(): void {
  const { data, error } = useQuery(siteStatus)
  const { name } = useBrand()
  const navigate = useNavigate()
  const path = useLocation({ select: (location) => location.pathname })
  const mustSetUp = data?.setup === false && path !== '/setup'
  useEffect(() => {
    if (error !== null) reportStatusFailure(error)
  }, [error])
  useEffect(() => {
    if (mustSetUp) void navigate({ to: '/setup' })
  }, [mustSetUp, navigate])
  const screen = useShownTitle()
  useEffect(() => {
    document.title = screen === '' ? name : `${screen} · ${name}`
  }, [name, screen])
}
