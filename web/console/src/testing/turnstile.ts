import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Replaces Cloudflare's script, which a test must not fetch, with one whose widget answers when the test says so. Once per file: a page loads it once. */
export function fakeTurnstile() {
  const render = vi.fn<NonNullable<typeof window.turnstile>['render']>(() => 'widget')
  const remove = vi.fn<NonNullable<typeof window.turnstile>['remove']>()
  const append = vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes)
      if (node instanceof HTMLScriptElement) {
        window.turnstile = { render, remove }
        setTimeout(() => node.onload?.(new Event('load')))
      } else document.head.appendChild(node instanceof Node ? node : document.createTextNode(node))
  })
  return {
    render,
    /** The visitor passes the check. */
    pass: (token: string): void => act(() => render.mock.lastCall?.[1].callback(token)),
    restore: (): void => append.mockRestore(),
  }
}
