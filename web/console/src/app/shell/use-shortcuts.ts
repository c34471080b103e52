import { useEffect, useRef } from 'react'

/** Ctrl or ⌘ K opens the palette anywhere; `/` goes to the page's search unless something is being typed. */
export function useShortcuts({ onPalette }: { readonly onPalette: () => void }): void {
  const latest = useRef(onPalette)
  useEffect(() => {
    latest.current = onPalette
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current()
        return
      }
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const search = document.querySelector<HTMLElement>('[data-search], input[type=search]')
      if (search === null) return
      event.preventDefault()
      search.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
}
