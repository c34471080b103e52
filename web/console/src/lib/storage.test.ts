import { afterEach, describe, expect, it } from 'vitest'
import { storage } from './storage.ts'

afterEach(() => localStorage.clear())

describe('storage', () => {
  it('writes flags as the text other consoles compare with', () => {
    storage.set('enable_drawing', true)

    expect(localStorage.getItem('enable_drawing')).toBe('true')
  })

  it.each([
    ['a user without a role', 'user', '{"id":1,"username":"a"}'],
    ['a user that is not JSON', 'user', 'undefined'],
    ['chats that are not a list', 'chats', '{"a":"b"}'],
    ['columns that are not switches', 'table-layouts', '{"log":{"shown":{"time":"yes"}}}'],
    ['a number that is none', 'page-size', 'many'],
    ['an unknown theme', 'theme-mode', 'sepia'],
  ] as const)('reads %s as absent', (_why, key, raw) => {
    localStorage.setItem(key, raw)

    expect(storage.get(key)).toBeUndefined()
  })

  it('gives the same object until the text changes, so that readers do not loop', () => {
    storage.set('chats', [{ A: 'https://a.example' }])

    const first = storage.get('chats')
    expect(storage.get('chats')).toBe(first)
    storage.set('chats', [{ B: 'https://b.example' }])
    expect(storage.get('chats')).toEqual([{ B: 'https://b.example' }])
  })

  it('tells readers about a change', () => {
    let told = 0
    const stop = storage.subscribe(() => (told += 1))

    storage.set('page-size', 50)
    storage.remove('page-size')
    stop()
    storage.set('page-size', 20)

    expect(told).toBe(2)
  })
})
