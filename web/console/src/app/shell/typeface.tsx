import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
import { Global } from '@emotion/react'
import { useEffect, useState, type ReactNode } from 'react'
import { session } from '../../lib/session.ts'

// Latin letters and digits only; other scripts, code and keys are set in the system's typefaces.
const FACE = {
  '@font-face': {
    fontFamily: 'Inter Variable',
    fontWeight: '100 900',
    fontDisplay: 'swap',
    src: `url(${inter}) format('woff2-variations')`,
    unicodeRange: 'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212',
  },
} as const

/** The typeface of every page. For visitors it waits until the page is drawn: the file weighs more than most of its other parts. */
export function Typeface(): ReactNode {
  const [isWanted, setWanted] = useState(() => session.user() !== undefined)
  useEffect(() => {
    if (isWanted) return undefined
    const timer = setTimeout(() => setWanted(true))
    return () => clearTimeout(timer)
  }, [isWanted])
  return isWanted ? <Global styles={FACE} /> : null
}
