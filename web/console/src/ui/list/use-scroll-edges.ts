import { useEffect, useRef, type RefObject } from 'react'

/** Marks the parent of a box that scrolls sideways with `data-more-start` and `data-more-end` while there is more beyond that edge. */
export function useScrollEdges(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    const frame = element?.parentElement
    if (element === null || frame === null || frame === undefined) return undefined
    const mark = (): void => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft
      frame.toggleAttribute('data-more-start', element.scrollLeft > 1)
      frame.toggleAttribute('data-more-end', rest > 1)
    }
    const watch = new ResizeObserver(mark)
    watch.observe(element)
    if (element.firstElementChild !== null) watch.observe(element.firstElementChild)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [])
  return box
}
