import type { Log } from '@tollgate/contracts/resources/logs'
import { useEffect, useEffectEvent } from 'react'

/** The entries before and after one in the list. */
export type Neighbours = { readonly previous: Log | undefined; readonly next: Log | undefined }

export function neighboursOf(rows: readonly Log[], id: number): Neighbours {
  const at = rows.findIndex((row) => row.id === id)
  return { previous: at > 0 ? rows[at - 1] : undefined, next: at === -1 ? undefined : rows[at + 1] }
}

/** J and K step through the list while an entry is open. */
export function useStepKeys({ previous, next }: Neighbours, onOpen: (log: Log) => void): void {
  const step = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable="true"]')
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const log = event.key === 'j' ? next : event.key === 'k' ? previous : undefined
    if (log !== undefined) onOpen(log)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => step(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
