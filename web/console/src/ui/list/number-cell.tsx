import { Input } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'

type NumberCellProps = {
  readonly label: string
  readonly value: number | undefined
  /** The value to save, or the reason why not. */
  readonly parse: (
    text: string,
  ) => { readonly kind: 'value'; readonly value: number } | { readonly kind: 'problem'; readonly message: string }
  readonly onSave: (value: number) => void
  readonly onProblem: (message: string) => void
  readonly placeholder?: string
}

/** A number that is edited in its cell: Enter or leaving saves, Escape takes it back. */
export function NumberCell({ label, value, parse, onSave, onProblem, placeholder }: NumberCellProps): ReactNode {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const shown = value === undefined ? '' : String(value)
  const commit = (): void => {
    setDraft(undefined)
    if (draft === undefined || draft.trim() === shown || draft.trim() === '') return
    const parsed = parse(draft)
    if (parsed.kind === 'problem') onProblem(parsed.message)
    else if (parsed.value !== value) onSave(parsed.value)
  }
  return (
    <Input
      size="sm"
      variant="subtle"
      width={`${Math.max(3, shown.length + 1.75)}rem`}
      me="-2"
      textAlign="end"
      fontVariantNumeric="tabular-nums"
      inputMode="numeric"
      aria-label={label}
      value={draft ?? shown}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') {
          event.stopPropagation()
          setDraft(undefined)
        }
      }}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  )
}
