import { useState, type FocusEvent } from 'react'

/** The fields (`data-field`) that lost focus: these show their problems; the others show them on save. */
export function useLeftFields(): { readonly left: ReadonlySet<string>; readonly onBlur: (event: FocusEvent<HTMLElement>) => void } {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const onBlur = (event: FocusEvent<HTMLElement>): void => {
    const field = event.target.closest<HTMLElement>('[data-field]')
    const name = field?.dataset['field']
    const isInside = event.relatedTarget instanceof Node && field?.contains(event.relatedTarget) === true
    if (name !== undefined && !isInside) setLeft((known) => (known.has(name) ? known : new Set(known).add(name)))
  }
  return { left, onBlur }
}
