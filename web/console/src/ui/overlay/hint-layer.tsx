import { chakra, Portal } from '@chakra-ui/react'
import { useEffect, useState, type ReactNode } from 'react'

type Shown = { readonly text: string; readonly left: number; readonly top: number; readonly isBelow: boolean }

/**
 * One tooltip for everything that carries `data-hint`: a table of a hundred rows has hundreds of hints, and a machine for each would
 * cost more than the table. Shows on hover and on keyboard focus, hides on Escape, scroll and leave.
 */
export function HintLayer(): ReactNode {
  const [shown, setShown] = useState<Shown | undefined>(undefined)

  useEffect(() => listen(setShown), [])

  if (shown === undefined) return null
  return (
    <Portal>
      <chakra.div
        role="tooltip"
        position="fixed"
        zIndex="tooltip"
        pointerEvents="none"
        bg="inverted"
        color="text.inverted"
        px="2"
        py="1"
        borderRadius="sm"
        textStyle="xs"
        maxW="xs"
        whiteSpace="pre-line"
        overflowWrap="anywhere"
        style={{ left: shown.left, top: shown.top, transform: `translate(-50%, ${shown.isBelow ? '0' : '-100%'})` }}
      >
        {shown.text}
      </chakra.div>
    </Portal>
  )
}

const DELAY_MS = 120
const EDGE = 8

function listen(show: (shown: Shown | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = (): void => {
    clearTimeout(timer)
    show(undefined)
  }
  const appear = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-hint]') : null
    hide()
    if (target !== null) timer = setTimeout(() => show(placeOf(target)), DELAY_MS)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') hide()
  }
  document.addEventListener('pointerover', appear)
  document.addEventListener('focusin', appear)
  document.addEventListener('focusout', hide)
  document.addEventListener('pointerdown', hide)
  document.addEventListener('keydown', onKey)
  document.addEventListener('scroll', hide, true)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('pointerover', appear)
    document.removeEventListener('focusin', appear)
    document.removeEventListener('focusout', hide)
    document.removeEventListener('pointerdown', hide)
    document.removeEventListener('keydown', onKey)
    document.removeEventListener('scroll', hide, true)
  }
}

function placeOf(target: HTMLElement): Shown | undefined {
  const text = target.dataset['hint'] ?? ''
  if (text === '' || !target.isConnected) return undefined
  const box = target.getBoundingClientRect()
  const isBelow = box.top < 64
  const half = Math.min(160, window.innerWidth / 2 - EDGE)
  const middle = box.left + box.width / 2
  return {
    text,
    left: Math.min(Math.max(middle, half + EDGE), window.innerWidth - half - EDGE),
    top: isBelow ? box.bottom + 6 : box.top - 6,
    isBelow,
  }
}
