import { describe, expect, it } from 'vitest'
import { choose, printInLight } from './theme-mode.ts'

describe('the theme', () => {
  it.each(['light', 'dark'] as const)('is light on paper and %s again afterwards', (mode) => {
    printInLight()
    choose(mode)

    window.dispatchEvent(new Event('beforeprint'))
    expect([...document.documentElement.classList]).toEqual(['light'])
    window.dispatchEvent(new Event('afterprint'))

    expect([...document.documentElement.classList]).toEqual([mode])
  })
})
