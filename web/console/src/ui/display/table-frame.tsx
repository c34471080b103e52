import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** The border around a table inside a section; it scrolls a wide table, also by keyboard. */
export function TableFrame({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.div
      borderWidth="1px"
      borderColor="border"
      borderRadius="control"
      overflow="auto"
      tabIndex={0}
      role="region"
      aria-label={label}
      focusVisibleRing="inside"
    >
      {children}
    </chakra.div>
  )
}
