import { chakra, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredUser } from '../../lib/storage.ts'
import { Avatar, shownName } from '../../ui/display/avatar.tsx'

/** The chosen account: of an organisation with its name, so that it is not mistaken for the own one. It names its button. */
export function AccountName({ user }: { readonly user: StoredUser }): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <>
      <chakra.span srOnly>{user.member === undefined ? t('account-menu') : `${t('account-menu')}: `}</chakra.span>
      {user.member === undefined ? null : (
        <Text as="span" hideBelow="sm" maxW="40" truncate textStyle="sm">
          {shownName(user)}
        </Text>
      )}
      <Avatar name={shownName(user)} />
    </>
  )
}
