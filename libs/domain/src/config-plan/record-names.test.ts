import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeRef, encodeRef } from './record-names.ts'

const name = fc.string({ minLength: 1, maxLength: 12 })
const ref = fc.record(
  {
    account: fc.record({ kind: fc.constantFrom('user' as const, 'organisation' as const, 'group' as const), name }),
    part: fc.record({ kind: fc.constantFrom('project' as const, 'member' as const, 'token' as const), name }),
    window: fc.constantFrom('5h' as const, 'day' as const, 'total' as const),
  },
  { requiredKeys: ['account'] },
)

it('a name stands for one record, whatever the names in it are', () => {
  fc.assert(
    fc.property(ref, (given) => {
      expect(decodeRef(encodeRef(given))).toEqual(given)
    }),
  )
})

it.each(['', 'Acme', 'user:ann/day/day', 'user:ann/colour:red', 'team:x'])('%s is no name', (text) => {
  expect(decodeRef(text)).toBeUndefined()
})
