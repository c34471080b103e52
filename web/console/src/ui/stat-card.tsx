import { chakra, Skeleton, Stat } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A few numbers in one row, hairlines between them. */
export function StatRow({ children }: { children: ReactNode }): ReactNode {
  return (
    <chakra.div display="flex" flexWrap="wrap" bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" overflow="hidden" flexShrink="0">
      {children}
    </chakra.div>
  )
}

export function StatCard({ label, help, isPending, children }: { label: string; help?: string; isPending?: boolean; children: ReactNode }): ReactNode {
  return (
    <Stat.Root flex="1" minW="7.5rem" px={{ base: '3', sm: '4' }} py="2.5" borderInlineEndWidth="1px" borderColor="border" _last={{ borderInlineEndWidth: '0' }}>
      <Stat.Label {...(help === undefined ? {} : { 'data-hint': help, cursor: 'help', width: 'fit' })}>{label}</Stat.Label>
      <Stat.ValueText fontSize={{ base: 'lg', sm: 'xl' }}>
        <Skeleton loading={isPending ?? false} minW="12">
          {children}
        </Skeleton>
      </Stat.ValueText>
    </Stat.Root>
  )
}
