import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 600px)'

/** True if the window is a phone's: 600 px and less (specification A section 2). */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches)
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
