import { Badge, Button, chakra, Flex, Kbd } from '@chakra-ui/react'
import { Link, useMatches } from '@tanstack/react-router'
import { Menu as MenuIcon, Moon, Search, Sun } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../lib/session.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { useStored } from '../../lib/storage.ts'
import { useThemeMode } from '../../lib/theme-mode.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { AccountButton, LanguageButton } from './bar-menus.tsx'
import { Brand } from './brand.tsx'
import { NewYear } from './new-year.tsx'

type TopBarProps = { readonly onMenu: () => void; readonly onSearch: () => void }

export function TopBar({ onMenu, onSearch }: TopBarProps): ReactNode {
  const { t } = useTranslation('shell')
  const user = useUser()
  // Before setup every way leads back to it.
  const isReady = useSiteStatus()?.setup !== false
  return (
    <Flex
      as="header"
      align="center"
      gap={{ base: '1', sm: '2' }}
      h="12"
      ps={{ base: '2', sm: '4' }}
      pe={{ base: '2', sm: '3' }}
      bg="panel"
      borderBottomWidth="1px"
      borderColor="border"
      position="sticky"
      top="0"
      zIndex="bar"
    >
      {isReady ? (
        <IconButton hideFrom="sm" label={t('open-menu')} onClick={onMenu}>
          <MenuIcon aria-hidden />
        </IconButton>
      ) : null}
      <Brand />
      <ModeBadges />
      {isReady ? <MainLinks /> : null}
      <Flex flex="1" />
      {user === undefined ? null : <SearchButton onSearch={onSearch} />}
      <Balanced />
      <NewYear />
      <ThemeToggle />
      <LanguageButton />
      {user !== undefined ? <AccountButton user={user} /> : isReady ? <Visitor /> : null}
    </Flex>
  )
}

const Balance = lazy(async () => ({ default: (await import('./balance.tsx')).Balance }))

/** In the console only: the pages around it load as little as they can. */
function Balanced(): ReactNode {
  const user = useUser()
  return useIsInConsole() && user !== undefined ? (
    <Suspense fallback={null}>
      <Balance />
    </Suspense>
  ) : null
}

function useIsInConsole(): boolean {
  return useMatches({ select: (matches) => matches.some((match) => match.routeId === '/_app') })
}

function MainLinks(): ReactNode {
  const { t } = useTranslation('shell')
  const docs = useStored('docs_link')
  const hasDashboard = useStored('enable_data_export') === true
  const isInConsole = useIsInConsole()
  return (
    <Flex as="nav" aria-label={t('main-navigation')} hideBelow="sm" align="center" gap={{ base: '0', md: '1' }} ms={{ base: '1', md: '4' }}>
      <BarLink hideBelow="md">
        <Link to="/" activeOptions={{ exact: true }}>
          {t('home')}
        </Link>
      </BarLink>
      <BarLink>
        <Link to={hasDashboard ? '/detail' : '/token'} {...(isInConsole ? { 'data-status': 'active' } : {})}>
          {t('console')}
        </Link>
      </BarLink>
      <BarLink>
        <Link to="/pricing" activeOptions={{ includeSearch: false }}>
          {t('pricing')}
        </Link>
      </BarLink>
      {docs === undefined || docs === '' ? null : (
        <BarLink>
          <a href={docs} target="_blank" rel="noreferrer">
            {t('docs')}
          </a>
        </BarLink>
      )}
      <BarLink>
        <Link to="/about">{t('about')}</Link>
      </BarLink>
    </Flex>
  )
}

function BarLink({ children, hideBelow }: { readonly children: ReactNode; readonly hideBelow?: 'md' }): ReactNode {
  return (
    <chakra.span
      asChild
      {...(hideBelow === undefined ? {} : { hideBelow })}
      display="inline-flex"
      alignItems="center"
      h="8"
      px="2.5"
      borderRadius="control"
      textStyle="sm"
      color="text.muted"
      focusVisibleRing="outside"
      _hover={{ color: 'text.strong', bg: 'subtle' }}
      css={{ '&[data-status=active]': { color: '{colors.text.strong}', fontWeight: 'medium' } }}
    >
      {children}
    </chakra.span>
  )
}

function ModeBadges(): ReactNode {
  const { t } = useTranslation('shell')
  const status = useSiteStatus()
  return (
    <>
      {status?.self_use_mode_enabled === true ? (
        <Badge colorPalette="info" flexShrink="0">
          {t('self-use-mode')}
        </Badge>
      ) : null}
      {status?.demo_site_enabled === true ? (
        <Badge colorPalette="violet" flexShrink="0">
          {t('demo-site')}
        </Badge>
      ) : null}
    </>
  )
}

function SearchButton({ onSearch }: { readonly onSearch: () => void }): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <>
      <IconButton hideFrom="md" label={t('search-everything')} onClick={onSearch}>
        <Search aria-hidden />
      </IconButton>
      <Button
        hideBelow="md"
        variant="outline"
        minW="52"
        justifyContent="flex-start"
        color="text.muted"
        fontWeight="normal"
        onClick={onSearch}
      >
        <Search aria-hidden />
        <chakra.span flex="1" textAlign="start">
          {t('search-everything')}
        </chakra.span>
        <Kbd>{SHORTCUT}</Kbd>
      </Button>
    </>
  )
}

const SHORTCUT = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'

function ThemeToggle(): ReactNode {
  const { t } = useTranslation('shell')
  const { mode, toggle } = useThemeMode()
  return (
    <IconButton label={mode === 'dark' ? t('to-light') : t('to-dark')} onClick={toggle}>
      {mode === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  )
}

function Visitor(): ReactNode {
  const { t } = useTranslation('shell')
  const isSelfUse = useSiteStatus()?.self_use_mode_enabled === true
  return (
    <>
      <Button asChild variant={isSelfUse ? 'outline' : 'ghost'}>
        <Link to="/login">{t('sign-in')}</Link>
      </Button>
      {isSelfUse ? null : (
        <Button asChild variant="outline">
          <Link to="/register">{t('register')}</Link>
        </Button>
      )}
    </>
  )
}
