import { describe, expect, it } from 'vitest'
import { usableKeys } from './usable-keys.ts'

describe('usableKeys', () => {
  it.each([
    ['nothing is known of them', {}, ['a', 'b', 'c'], Infinity],
    ['one is disabled', { keys_out: ['b'] }, ['a', 'c'], Infinity],
    ['one has expired', { key_expiry: { a: 99, b: 150 } }, ['b', 'c'], 150],
    ['one expires at this second', { key_expiry: { a: 100 } }, ['b', 'c'], Infinity],
    ['a disabled one expires first', { keys_out: ['a'], key_expiry: { a: 110, c: 120 } }, ['b', 'c'], 120],
    ['all are disabled or expired', { keys_out: ['a', 'b'], key_expiry: { c: 1 } }, [], Infinity],
    ['the state belongs to a key that was removed', { keys_out: ['x'], key_expiry: { y: 1 } }, ['a', 'b', 'c'], Infinity],
  ])('gives the keys for new requests when %s', (_, facts, key_ids, until) => {
    expect(usableKeys(['a', 'b', 'c'], facts, 100)).toEqual({ key_ids, until })
  })

  it('takes the only key of a channel out of service when it expires', () => {
    const facts = { key_expiry: { '': 200 } }

    expect(usableKeys([''], facts, 199).key_ids).toEqual([''])
    expect(usableKeys([''], facts, 200).key_ids).toEqual([])
  })
})
