import { cleanup } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

declare global {
  interface Window {
    happyDOM?: { readonly abort: () => Promise<void> }
  }
}

// The files of a worker share its virtual browser and the packages it has loaded; each loads the console's own modules again.
vi.resetModules()

afterAll(async () => {
  // A file of the environment `node`.
  if (typeof window === 'undefined') return
  cleanup()
  // Calls that are not answered yet would reach the next file's control plane.
  await window.happyDOM?.abort()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  delete window.turnstile
  document.title = ''
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  document.body.replaceChildren()
})
