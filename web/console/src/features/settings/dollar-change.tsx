import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A price in dollars, with the one it replaces. */
export function DollarChange({ before, after }: { readonly before: number | undefined; readonly after: number | undefined }): ReactNode {
  const dollars = (value: number): string => `$${Number(value.toPrecision(6))}`
  if (before === after) return before === undefined ? '–' : dollars(before)
  return (
    <>
      {before === undefined ? null : (
        <chakra.del color="text.muted" me="1">
          {dollars(before)}
        </chakra.del>
      )}
      {after === undefined ? null : <chakra.ins textDecoration="none">{dollars(after)}</chakra.ins>}
    </>
  )
}
