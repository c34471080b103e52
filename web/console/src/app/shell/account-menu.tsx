import { Box, Button, Menu, Portal, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, LogOut, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseAccount, ownOrganisations, personOf } from '../../lib/organisations.ts'
import { useUser } from '../../lib/session.ts'
import type { StoredUser } from '../../lib/storage.ts'
import { shownName } from '../../ui/display/avatar.tsx'
import { AccountName } from './account-name.tsx'
import type { OpenedMenu } from './on-demand.tsx'
import { useSignOut } from './sign-out.ts'

/** The signed-in user's avatar, and what it opens. */
export function AccountMenu({ defaultOpen }: OpenedMenu): ReactNode {
  const { t } = useTranslation('shell')
  const signOut = useSignOut()
  const user = useUser()
  if (user === undefined) return null
  return (
    <Menu.Root defaultOpen={defaultOpen} positioning={{ placement: 'bottom-end' }}>
      <Menu.Trigger asChild>
        <Button variant="ghost" px="1" data-hint={user.username}>
          <AccountName user={user} />
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
                {personOf(user).username}
              </Text>
            </Box>
            <Accounts user={user} />
            <Menu.Separator />
            <Menu.Item value="sign-out" onClick={() => void signOut()}>
              <LogOut aria-hidden />
              {t('sign-out')}
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}

/** The accounts that can be chosen: the person's own and the organisations. Without one, and where none can be founded, nothing shows. */
function Accounts({ user }: { readonly user: StoredUser }): ReactNode {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { data } = useQuery({ ...ownOrganisations, enabled: user.viewed_by === undefined })
  const person = personOf(user)
  const isShown = data !== undefined && (data.items.length > 0 || data.invitations.length > 0 || data.may_found)
  if (!isShown && user.member === undefined) return null
  return (
    <>
      <Menu.Separator />
      {data === undefined || data.items.length === 0 ? null : (
        <Menu.ItemGroup>
          <Menu.ItemGroupLabel>{t('accounts')}</Menu.ItemGroupLabel>
          <Account
            name={shownName(person)}
            icon={<UserRound aria-hidden />}
            isChosen={user.member === undefined}
            value="person"
            onChoose={() => chooseAccount(undefined, '/token')}
          />
          {data.items.map((item) => (
            <Account
              key={item.id}
              name={item.name}
              icon={<Building2 aria-hidden />}
              isChosen={user.id === item.id}
              value={`organisation-${item.id}`}
              onChoose={() => chooseAccount(item, '/organisation')}
            />
          ))}
        </Menu.ItemGroup>
      )}
      <Menu.Item value="organisations" onClick={() => void navigate({ to: '/organisations' })}>
        <Building2 aria-hidden />
        {t('organisations')}
      </Menu.Item>
    </>
  )
}

type AccountProps = {
  readonly name: string
  readonly icon: ReactNode
  readonly isChosen: boolean
  readonly value: string
  readonly onChoose: () => void
}

function Account({ name, icon, isChosen, value, onChoose }: AccountProps): ReactNode {
  return (
    <Menu.Item value={value} {...(isChosen ? { 'aria-current': true } : { onClick: onChoose })}>
      {icon}
      <Text as="span" flex="1" minW="0" truncate maxW="60" {...(isChosen ? { fontWeight: 'semibold', color: 'accent.fg' } : {})}>
        {name}
      </Text>
    </Menu.Item>
  )
}
