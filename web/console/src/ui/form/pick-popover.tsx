import { Button, chakra, Popover, Portal } from '@chakra-ui/react'
import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { PickBox } from './pick-box.tsx'
import type { PickOption } from './pick-list.ts'

type PickPopoverProps = {
  readonly label: string
  readonly options: readonly PickOption[]
  readonly value: readonly string[]
  readonly onPick: (value: string) => void
  /** Stays open after a choice. */
  readonly isMultiple: boolean
  readonly isMono: boolean
  /** Text of the closed button. */
  readonly summary: ReactNode
  readonly summaryText: string
}

/** A button that opens a searchable list. */
export function PickPopover({ label, options, value, onPick, isMultiple, isMono, summary, summaryText }: PickPopoverProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const pick = (one: string): void => {
    onPick(one)
    if (!isMultiple) setOpen(false)
  }
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={({ open }) => setOpen(open)}
      positioning={{ sameWidth: true, placement: 'bottom-start' }}
      lazyMount
      unmountOnExit
    >
      <Popover.Trigger asChild>
        <Button
          type="button"
          variant="outline"
          justifyContent="space-between"
          width="full"
          fontWeight="normal"
          aria-label={`${label} ${summaryText}`}
        >
          <chakra.span minW="0" overflow="hidden" textOverflow="ellipsis" color={value.length === 0 ? 'text.muted' : 'text.strong'}>
            {summary}
          </chakra.span>
          <ChevronDown />
        </Button>
      </Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content width="full" minW="16rem" overflow="hidden" maxHeight="none" aria-label={label}>
            <PickBox onPick={pick} {...{ options, value, isMultiple, isMono }} />
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  )
}
