import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** The browser's own box: tables have one per row, and it is keyboard-ready and cheap. */
export function CheckBox(props: { label: string; isChecked: boolean; isPartly?: boolean; onChange: () => void }): ReactNode {
  return (
    <chakra.input
      type="checkbox"
      aria-label={props.label}
      checked={props.isChecked}
      onChange={props.onChange}
      ref={(box: HTMLInputElement | null) => {
        if (box !== null) box.indeterminate = props.isPartly === true && !props.isChecked
      }}
      boxSize="3.5"
      m="0"
      verticalAlign="middle"
      accentColor="accent.solid"
      cursor="pointer"
      focusVisibleRing="outside"
    />
  )
}
