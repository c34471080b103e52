import { Box, chakra, Drawer, Flex, Portal } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { BookOpen, House, Info, Tags, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStored } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { Brand } from './brand.tsx'
import { GetStartedLink } from './get-started.tsx'
import { MenuGroups } from './sidebar.tsx'

type MobileMenuProps = { readonly isOpen: boolean; readonly onClose: () => void }

/** Top bar links and sidebar in one drawer, at 600 px and less. */
export function MobileMenu({ isOpen, onClose }: MobileMenuProps): ReactNode {
  const { t } = useTranslation(['shell', 'common'])
  const docs = useStored('docs_link')
  return (
    <Drawer.Root open={isOpen} placement="start" onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content maxW="72" aria-label={t('main-navigation')}>
            <Flex align="center" justify="space-between" h="12" px="3" borderBottomWidth="1px" borderColor="border" onClick={onClose}>
              <Brand />
              <IconButton label={t('common:close')} onClick={onClose}>
                <X aria-hidden />
              </IconButton>
            </Flex>
            <Drawer.Body px="2" py="3">
              <Flex direction="column" gap="0.5" mb="4">
                <PlainLink>
                  <Link to="/" onClick={onClose}>
                    <House size={16} aria-hidden />
                    {t('home')}
                  </Link>
                </PlainLink>
                <PlainLink>
                  <Link to="/pricing" onClick={onClose}>
                    <Tags size={16} aria-hidden />
                    {t('pricing')}
                  </Link>
                </PlainLink>
                {docs === undefined || docs === '' ? null : (
                  <PlainLink>
                    <a href={docs} target="_blank" rel="noreferrer">
                      <BookOpen size={16} aria-hidden />
                      {t('docs')}
                    </a>
                  </PlainLink>
                )}
                <PlainLink>
                  <Link to="/about" onClick={onClose}>
                    <Info size={16} aria-hidden />
                    {t('about')}
                  </Link>
                </PlainLink>
              </Flex>
              <Box>
                <GetStartedLink isFolded={false} onChosen={onClose} />
                <MenuGroups isFolded={false} onChosen={onClose} />
              </Box>
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  )
}

function PlainLink({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <chakra.span
      asChild
      display="flex"
      alignItems="center"
      gap="2.5"
      h="10"
      px="2.5"
      borderRadius="control"
      textStyle="sm"
      color="text"
      focusVisibleRing="inside"
      _hover={{ bg: 'subtle' }}
      _icon={{ color: 'text.muted' }}
    >
      {children}
    </chakra.span>
  )
}
