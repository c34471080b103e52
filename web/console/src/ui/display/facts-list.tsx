import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A list of facts: one per line, or as many in a line as fit. */
export function FactsList({ isInline = false, children }: { readonly isInline?: boolean; readonly children: ReactNode }): ReactNode {
  const layout = isInline
    ? ({
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: '6',
        rowGap: '1.5',
        '& > div': { display: 'flex', gap: '1.5', alignItems: 'baseline' },
      } as const)
    : ({
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr',
        columnGap: '6',
        rowGap: '2',
        alignItems: 'center',
        '& > div': { display: 'contents' },
      } as const)
  return <chakra.dl css={layout}>{children}</chakra.dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.div minW="0">
      <chakra.dt color="text.muted" whiteSpace="nowrap">
        {name}
      </chakra.dt>
      <chakra.dd minW="0" color="text.strong" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </chakra.div>
  )
}
