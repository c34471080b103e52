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

type StatCardProps = {
  readonly label: string
  readonly help?: string
  readonly isPending?: boolean
  /** The number has a line of text below, whose place is kept while it loads. */
  readonly hasNote?: boolean
  /** On a phone, two cards stand beside each other instead of three. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export function StatCard({ label, help, isPending = false, hasNote = false, isWide = false, children }: StatCardProps): ReactNode {
  return (
    <Stat.Root flex="1" minW={isWide ? { base: '40%', sm: '7.5rem' } : '7.5rem'} px={{ base: '3', sm: '4' }} py="2.5" bg="panel">
      <Stat.Label {...(help === undefined ? {} : { 'data-hint': help, cursor: 'help', width: 'fit' })}>{label}</Stat.Label>
      <Stat.ValueText fontSize={{ base: 'lg', sm: 'xl' }}>
        {isPending ? <Skeleton height="5" my="1" width="16" /> : children}
      </Stat.ValueText>
      {isPending && hasNote ? <Skeleton height="3" my="0.5" width="10" /> : null}
    </Stat.Root>
  )
}
