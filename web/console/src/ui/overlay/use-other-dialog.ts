import { useCallback, useSyncExternalStore } from 'react'

/** True if a dialog or drawer is on the page other than the one that contains `own`, a selector. */
export function useOtherDialog(own: string): boolean {
  const isThere = useCallback(() => hasOther(own), [own])
  return useSyncExternalStore(subscribe, isThere)
}

// The kit's dialogs and drawers are all of this scope; popovers and menus have their own.
const OPEN = '[data-scope="dialog"][data-part="content"]'

const hasOther = (own: string): boolean => [...document.querySelectorAll(OPEN)].some((content) => content.querySelector(own) === null)

/** Every dialog is in a portal, a child of the body. */
function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.body, { childList: true })
  return () => observer.disconnect()
}
