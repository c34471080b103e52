import { describe, expect, it } from 'vitest'
import { TtlMap } from './ttl-map.ts'

describe('TtlMap', () => {
  it('has the entries that were set and not deleted, over many insertions', () => {
    const map = new TtlMap<number>()
    const kept = new Map<string, number>()

    for (let at = 0; at < 10_000; at += 1) {
      map.set(`r${at}`, at)
      if (at % 700 === 0) kept.set(`r${at}`, at)
      else map.delete(`r${at}`)
    }

    expect(map.size).toBe(kept.size)
    expect(map.values().toArray()).toEqual([...kept.values()])
    expect([map.has('r700'), map.has('r701'), map.has('r10000')]).toEqual([true, false, false])
  })

  it('keeps the newest value of a key', () => {
    const map = new TtlMap<number>()
    for (let at = 0; at < 3000; at += 1) map.set('same', at)

    expect(map.values().toArray()).toEqual([2999])
  })
})
