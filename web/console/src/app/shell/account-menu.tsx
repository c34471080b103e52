import { Box, Button, Menu, Portal, Text } from '@chakra-ui/react'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../lib/session.ts'
import { Avatar, shownName } from '../../ui/display/avatar.tsx'
import type { OpenedMenu } from './on-demand.tsx'
import { useSignOut } from './sign-out.ts'

/** The signed-in user's avatar, and what it opens. */
export function AccountMenu({ defaultOpen }: OpenedMenu): ReactNode {
  const { t } = useTranslation('shell')
  const signOut = useSignOut()
  const user = useUser()
  if (user === undefined) return null
  return (
    <Menu.Root
      defaultOpen={defaultOpen}
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => (value === 'sign-out' ? void signOut() : undefined)}
    >
      <Menu.Trigger asChild>
        <Button variant="ghost" px="1" aria-label={t('account-menu')} data-hint={user.username}>
          <Avatar name={shownName(user)} />
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content minW="44">
            <Box px="2" py="1.5">
              <Text textStyle="sm" color="text.strong" fontWeight="medium" truncate>
                {shownName(user)}
              </Text>
              <Text textStyle="xs" color="text.muted" truncate>
                {user.username}
              </Text>
            </Box>
            <Menu.Separator />
            <Menu.Item value="sign-out">
              <LogOut aria-hidden />
              {t('sign-out')}
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}
