import { describe, expect, it } from 'vitest'
import { SeenRow } from './seen-row.ts'

const isAccepted = (value: unknown): boolean => SeenRow.safeParse(value).success
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`f${nth}`, 1]))

describe('the row that a form showed', () => {
  it.each<[string, unknown]>([
    ['absent', undefined],
    ['of texts, numbers and switches', { name: 'a', weight: 3, auto_ban: true, tag: null }],
    ['with a list and a map', { models: ['a', 'b'], limits: { rpm: 5, tpm: null } }],
    ['with 64 fields', many(64)],
    ['with a map of 2000 entries', { ratios: many(2000) }],
  ])('is accepted: %s', (_case, row) => {
    expect(isAccepted(row)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['with 65 fields', many(65)],
    ['with a map of 2001 entries', { ratios: many(2001) }],
    ['with a list of 2001 entries', { models: Array.from({ length: 2001 }, () => 'm') }],
    ['with a text of 64 001 characters', { key: 'x'.repeat(64_001) }],
    ['with a map in a map', { a: { b: { c: 1 } } }],
    ['with a list in a list', { a: [['b']] }],
    ['with a name of 65 characters', { ['n'.repeat(65)]: 1 }],
    ['with a number that is no safe integer', { quota: 2 ** 60 }],
  ])('is refused: %s', (_case, row) => {
    expect(isAccepted(row)).toBe(false)
  })
})
