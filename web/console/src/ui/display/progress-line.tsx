import { Progress, type ProgressRootProps } from '@chakra-ui/react'
import type { ReactNode } from 'react'

type Props = {
  readonly label: string
  /** In percent; null while nothing is known, which moves the bar. */
  readonly value: number | null
} & Pick<ProgressRootProps, 'size' | 'colorPalette'>

export function ProgressLine({ label, ...props }: Props): ReactNode {
  return (
    <Progress.Root {...props} aria-label={label}>
      <Progress.Track>
        <Progress.Range />
      </Progress.Track>
    </Progress.Root>
  )
}

/** How far a run is, in percent; null before it has counted what there is to do. */
export const percentDone = (done: number, total: number): number | null => (total === 0 ? null : Math.min(100, (100 * done) / total))
