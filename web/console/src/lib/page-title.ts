import { useEffect, useSyncExternalStore } from 'react'

let shown: readonly string[] = []
const listeners = new Set<() => void>()

function change(next: readonly string[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Puts the name of the open screen before that of the site, in the tab and in the history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    change([...shown, title])
    return () => change(shown.filter((one) => one !== title))
  }, [title])
}

/** The name of the open screen; empty where a page gives none. */
export function useShownTitle(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown.at(-1) ?? '',
  )
}
