import { Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import type { StoredUser } from '../../lib/storage.ts'
import { Avatar, shownName } from '../../ui/display/avatar.tsx'

/** The name of the account menu, with what its button shows. */
export const menuLabel = (label: string, user: StoredUser): string => (user.member === undefined ? label : `${label}: ${shownName(user)}`)

/** The chosen account: of an organisation with its name, so that it is not mistaken for the own one. */
export function AccountName({ user }: { readonly user: StoredUser }): ReactNode {
  return (
    <>
      {user.member === undefined ? null : (
        <Text as="span" hideBelow="sm" maxW="40" truncate textStyle="sm">
          {shownName(user)}
        </Text>
      )}
      <Avatar name={shownName(user)} />
    </>
  )
}
