import { Flex } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** The first letter of a name in a circle. */
export function Avatar({ name }: { readonly name: string }): ReactNode {
  return (
    <Flex
      as="span"
      align="center"
      justify="center"
      boxSize="6"
      borderRadius="full"
      bg="accent.subtle"
      color="accent.fg"
      textStyle="xs"
      fontWeight="semibold"
      borderWidth="1px"
      borderColor="accent.border"
    >
      {[...name][0]?.toUpperCase() ?? '?'}
    </Flex>
  )
}

export function shownName(user: { readonly username: string; readonly display_name?: string }): string {
  return user.display_name === undefined || user.display_name === '' ? user.username : user.display_name
}
