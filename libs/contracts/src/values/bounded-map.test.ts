import { describe, expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

const CAPACITY = 100
const keys = Array.from({ length: CAPACITY }, (_, at) => `key-${at}`)

describe('BoundedMap', () => {
  it('keeps twice its bytes at most, by the size of keys and values, and the newest entry whatever its size', () => {
    const map = new BoundedMap<string>(1000, { max: 1000, of: (value) => value.length })
    for (let nth = 0; nth < 100; nth += 1) map.set(`key ${nth}`, 'x'.repeat(100))

    expect(map.size).toBeLessThanOrEqual(18)
    expect(map.get('key 99')).toBeDefined()
    for (let nth = 0; nth < 100; nth += 1) map.set('key 99', 'x'.repeat(100))
    expect(map.get('key 98')).toBeDefined()
    map.set('large', 'x'.repeat(5000))
    map.set('long '.repeat(1000), '')
    expect(map.get('large')).toBeDefined()
    expect(map.size).toBe(2)
  })

  it('keeps as many entries as its capacity while all are in use', () => {
    const map = new BoundedMap<string>(CAPACITY)
    for (const key of keys) map.set(key, key)
    for (let round = 0; round < 3; round += 1) expect(keys.filter((key) => map.get(key) === undefined)).toEqual([])
  })

  it('drops the least recently used entries', () => {
    const map = new BoundedMap<number>(CAPACITY)
    map.set('unused', 0)
    for (let at = 0; at < 2 * CAPACITY; at += 1) map.set(`other-${at}`, at)
    expect(map.get('unused')).toBeUndefined()
  })

  it('never holds more than twice its capacity', () => {
    const map = new BoundedMap<number>(CAPACITY)
    let most = 0
    for (let at = 0; at < 10 * CAPACITY; at += 1) {
      map.set(`key-${at}`, at)
      most = Math.max(most, map.size)
    }
    expect(most).toBeLessThanOrEqual(2 * CAPACITY)
  })

  it('drops a deleted entry at once', () => {
    const map = new BoundedMap<number>(CAPACITY)
    map.set('a', 1)
    map.delete('a')
    expect(map.get('a')).toBeUndefined()
  })
})
