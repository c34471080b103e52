import { useEffect, useState } from 'react'

/** Element that opened the overlay; it is kept while one overlay takes another's place. */
let opener: HTMLElement | undefined

/** Returns the focus to what had it before this overlay, once no overlay is left. */
export function useReturnFocus(): void {
  // While this renders first, nothing has moved the focus yet.
  const [before] = useState(() => openerOf(document.activeElement))
  useEffect(() => {
    opener = before ?? opener
    return () => void requestAnimationFrame(returnFocus)
  }, [before])
}

/** The focused control; for an item of a menu, which closes, the button of the menu. */
function openerOf(active: Element | null): HTMLElement | undefined {
  if (!(active instanceof HTMLElement) || active === document.body) return undefined
  const menu = active.closest('[role="menu"]')
  if (menu !== null) return document.getElementById(menu.getAttribute('aria-labelledby') ?? '') ?? undefined
  return active.closest('[role="dialog"]') === null ? active : undefined
}

function returnFocus(): void {
  if (document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]') !== null) return
  if (opener?.isConnected === true) opener.focus({ preventScroll: true })
  opener = undefined
}
