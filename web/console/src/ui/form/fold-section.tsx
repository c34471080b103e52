import { chakra } from '@chakra-ui/react'
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'

type FoldSectionProps = {
  readonly title: string
  /** The content in a few words, shown while the section is closed. */
  readonly help?: string
  /** Something inside needs the reader: a problem, or a value that is not the default. */
  readonly isNeeded?: boolean
  readonly children: ReactNode
}

/** Fields that most forms leave as they are, under a heading that opens them. */
export function FoldSection({ title, help, isNeeded = false, children }: FoldSectionProps): ReactNode {
  const [isOpen, setOpen] = useState(isNeeded)
  const isShown = isOpen || isNeeded
  return (
    <chakra.section display="flex" flexDirection="column" gap="4">
      <chakra.button
        type="button"
        aria-expanded={isShown}
        display="flex"
        alignItems="center"
        gap="1.5"
        pb="1.5"
        width="full"
        textAlign="start"
        cursor="pointer"
        borderBottomWidth="1px"
        borderColor="border"
        focusVisibleRing="outside"
        onClick={() => setOpen(!isShown)}
      >
        <chakra.span display="inline-flex" color="text.muted" transition="transform 120ms" transform={isShown ? 'rotate(90deg)' : 'none'}>
          <ChevronRight size={16} />
        </chakra.span>
        <chakra.span textStyle="section" color="text.strong">
          {title}
        </chakra.span>
        {help === undefined || isShown ? null : (
          <chakra.span color="text.muted" textStyle="xs" overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap" minW="0">
            {help}
          </chakra.span>
        )}
      </chakra.button>
      {isShown ? children : null}
    </chakra.section>
  )
}
