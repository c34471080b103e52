import { useEffect, useState } from 'react'
import { storage, useStored } from '../../lib/storage.ts'

const LOOKS = 5
const EVERY_MS = 200

/** The custom footer: what is stored, looked for five times in the first second, and whatever the status brings later. */
export function useFooterHtml(): string {
  const stored = useStored('footer_html')
  const [found, setFound] = useState('')
  useEffect(() => {
    let looks = 0
    const timer = setInterval(() => {
      looks += 1
      const html = storage.get('footer_html') ?? ''
      setFound(html)
      if (html !== '' || looks === LOOKS) clearInterval(timer)
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return stored ?? found
}
