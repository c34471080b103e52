import { useEffect, useRef, useState, type RefObject } from 'react'

type FarAway = {
  readonly box: RefObject<HTMLDivElement | null>
  /** The height that the element had when the browser stopped laying it out; undefined near the view. */
  readonly heightFarAway: number | undefined
}

/** Follows whether the browser lays out an element with `content-visibility: auto`. Browsers that do not report it lay out all. */
export function useFarAway(): FarAway {
  const box = useRef<HTMLDivElement>(null)
  const [heightFarAway, setHeight] = useState<number>()
  useEffect(() => {
    const element = box.current
    const onChange = (event: Event): void => {
      if (event.target === element) setHeight('skipped' in event && event.skipped === true ? element?.offsetHeight : undefined)
    }
    element?.addEventListener('contentvisibilityautostatechange', onChange)
    return () => element?.removeEventListener('contentvisibilityautostatechange', onChange)
  }, [])
  return { box, heightFarAway }
}
