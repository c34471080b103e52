import { expect, it } from 'vitest'
import { KeptView } from './kept-view.ts'

it('sends an older value while it is read again, but not that nothing was there', async () => {
  let [now, value]: [number, string | undefined] = [0, undefined]
  const view = new KeptView({ read: async () => value, now: () => now, onError: () => undefined, freshMs: 5000 })

  expect(await view.get()).toBeUndefined()
  value = 'first'
  expect(await view.get()).toBeUndefined()
  now = 5000
  expect(await view.get()).toBe('first')
  value = 'second'
  now = 10_000
  expect([await view.get(), await view.get()]).toEqual(['first', 'second'])
})
