import { chakra } from '@chakra-ui/react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useThemeMode } from '../../lib/theme-mode.ts'

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

type WidgetOptions = {
  readonly sitekey: string
  readonly theme: 'light' | 'dark'
  readonly language: string
  readonly callback: (token: string) => void
  readonly 'expired-callback': () => void
  readonly 'error-callback': () => void
}
type Turnstile = { readonly render: (box: HTMLElement, options: WidgetOptions) => string; readonly remove: (widget: string) => void }

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

let loading: Promise<Turnstile> | undefined

/** The widget's script, fetched when a page first shows it and never else; a failed fetch is tried again by the next page. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.onload = () => (window.turnstile === undefined ? reject(new Error('Turnstile did not start')) : resolve(window.turnstile))
    script.onerror = () => reject(new Error('Turnstile could not be loaded'))
    document.head.append(script)
  }).catch((reason: unknown) => {
    loading = undefined
    throw reason
  })
  return loading
}

type HumanCheckProps = {
  readonly siteKey: string
  readonly language: string
  /** Empty while there is none: before the check is over, and after it ran out. */
  readonly onToken: (token: string) => void
}

/** Cloudflare's check that a person is there. A used token is worthless: give it a new `key` to get the next. */
export function HumanCheck({ siteKey, language, onToken }: HumanCheckProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const { mode } = useThemeMode()
  useEffect(() => {
    let widget: string | undefined
    let isGone = false
    const start = async (): Promise<void> => {
      const turnstile = await loadTurnstile()
      if (isGone || box.current === null) return
      widget = turnstile.render(box.current, {
        sitekey: siteKey,
        theme: mode,
        language,
        callback: onToken,
        'expired-callback': () => onToken(''),
        'error-callback': () => onToken(''),
      })
    }
    // Without the widget there is no token, and signing in says so.
    void start().catch(() => onToken(''))
    return () => {
      isGone = true
      if (widget !== undefined) window.turnstile?.remove(widget)
    }
  }, [siteKey, language, mode, onToken])
  return <chakra.div ref={box} minH="16" data-human-check />
}
