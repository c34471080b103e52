import { Flex } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** The first letter of a name in a circle, for the eye: the name stands beside it or in a label. */
export function Avatar({ name, isLarge = false }: { readonly name: string; readonly isLarge?: boolean }): ReactNode {
  return (
    <Flex
      as="span"
      aria-hidden
      align="center"
      justify="center"
      flexShrink="0"
      boxSize={isLarge ? '12' : '6'}
      borderRadius="full"
      bg="accent.subtle"
      color="accent.fg"
      textStyle={isLarge ? 'title' : 'xs'}
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
