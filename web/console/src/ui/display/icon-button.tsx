import { Button, type ButtonProps } from '@chakra-ui/react'
import type { ReactNode, Ref } from 'react'

type IconButtonProps = ButtonProps & {
  /** Read by screen readers and shown on hover and focus (by `HintLayer`). */
  readonly label: string
  readonly ref?: Ref<HTMLButtonElement>
}

/** An icon alone, with its name. */
export function IconButton({ label, children, ...rest }: IconButtonProps): ReactNode {
  return (
    <Button variant="ghost" px="0" aria-label={label} data-hint={label} {...rest}>
      {children}
    </Button>
  )
}
