import { chakra, Skeleton, Stat } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A few numbers in one row; the gaps between them are the hairlines, so that they hold when the row wraps. */
export function StatRow({ children }: { children: ReactNode }): ReactNode {
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      gap="1px"
      bg="border"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      overflow="hidden"
      flexShrink="0"
    >
      {children}
    </chakra.div>
  )
}

export function StatCard({
  label,
  help,
  isPending,
  children,
}: {
  label: string
  help?: string
  isPending?: boolean
  children: ReactNode
}): ReactNode {
  return (
    <Stat.Root flex="1" minW="7.5rem" px={{ base: '3', sm: '4' }} py="2.5" bg="panel">
      <Stat.Label {...(help === undefined ? {} : { 'data-hint': help, cursor: 'help', width: 'fit' })}>{label}</Stat.Label>
      <Stat.ValueText fontSize={{ base: 'lg', sm: 'xl' }}>
        {isPending === true ? <Skeleton height="5" my="1" width="16" /> : children}
      </Stat.ValueText>
    </Stat.Root>
  )
}
