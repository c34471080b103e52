import { NativeSelect } from '@chakra-ui/react'
import type { ReactNode } from 'react'

export type Choice = { readonly value: string; readonly label: string }

type SelectProps = {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  width?: string
  isWide?: boolean
}

/** One of a short list: the browser's own control, which every phone and screen reader knows. */
export function Select({ label, value, choices, onChange, width, isWide }: SelectProps): ReactNode {
  return (
    <NativeSelect.Root width={isWide === true ? 'full' : { base: 'full', sm: width ?? '9rem' }}>
      <NativeSelect.Field aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}
