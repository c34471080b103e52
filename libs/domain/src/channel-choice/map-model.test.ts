import { expect, it } from 'vitest'
import { mapModel } from './map-model.ts'

it.each([
  ['no entry', {}, 'a', { kind: 'ok', model: 'a', isMapped: false }],
  ['one step', { a: 'b' }, 'a', { kind: 'ok', model: 'b', isMapped: true }],
  ['a chain', { a: 'b', b: 'c', c: 'd' }, 'a', { kind: 'ok', model: 'd', isMapped: true }],
  ['an entry that maps to itself ends the chain', { a: 'b', b: 'b' }, 'a', { kind: 'ok', model: 'b', isMapped: true }],
  ['the requested name mapped to itself', { a: 'a' }, 'a', { kind: 'ok', model: 'a', isMapped: false }],
  ['an empty target counts as no entry', { a: '' }, 'a', { kind: 'ok', model: 'a', isMapped: false }],
  ['a cycle of two', { a: 'b', b: 'a' }, 'a', { kind: 'cycle' }],
  ['a cycle after one step', { a: 'b', b: 'c', c: 'b' }, 'a', { kind: 'cycle' }],
  ['an inherited property name', {}, 'constructor', { kind: 'ok', model: 'constructor', isMapped: false }],
] as const)('%s', (_, mapping, model, expected) => {
  expect(mapModel(mapping, model)).toEqual(expected)
})
