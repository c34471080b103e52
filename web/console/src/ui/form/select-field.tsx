import { chakra, NativeSelect } from '@chakra-ui/react'
import type { Tone } from '@tollgate/domain/display/tone'
import type { ReactNode } from 'react'
import { PALETTE_OF_TONE } from '../display/tone-palette.ts'

export type Choice = {
  readonly value: string
  readonly label: string
  /** Colours it in the open list, where the browser can. */ readonly tone?: Tone
}

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
          <chakra.option
            key={choice.value}
            value={choice.value}
            {...(choice.tone === undefined ? {} : { colorPalette: PALETTE_OF_TONE[choice.tone], color: 'colorPalette.fg' })}
          >
            {choice.label}
          </chakra.option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}
