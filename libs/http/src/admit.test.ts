import type { AppError } from '@tollgate/contracts/app-error'
import type { Access } from '@tollgate/contracts/endpoint'
import { describe, expect, it } from 'vitest'
import type { Identification } from './actor.ts'
import { admit } from './admit.ts'

const lin = { id: 5, username: 'lin', role: 1, status: 1, group: 'default', session_hash: 'x' }
const { session_hash: _, ...byToken } = lin

function outcomeOf(access: Access, found: Identification, idHeader?: string): string {
  try {
    admit({ access, found, idHeader })
    return 'admitted'
  } catch (error) {
    return (error as AppError).code // admit throws nothing else
  }
}

describe('admit', () => {
  it.each<[string, Access, Identification, string | undefined, string]>([
    ['no credentials', 'user', 'anonymous', '5', 'guard.anonymous'],
    ['an unknown token', 'user', 'unknown-token', '5', 'guard.access-token'],
    ['a token of a user without a name', 'user', { ...byToken, username: ' ' }, undefined, 'guard.user-invalid'],
    ['a token of a user with an undefined role', 'user', { ...byToken, role: 7 }, '5', 'guard.user-invalid'],
    ['no id header', 'user', lin, undefined, 'guard.id-missing'],
    ['an id header that is not an integer', 'user', lin, '5x', 'guard.id-malformed'],
    ['the id of another user', 'user', lin, '6', 'guard.id-differs'],
    ['the console’s −1', 'user', lin, '-1', 'guard.id-differs'],
    ['a banned user, before the role', 'root', { ...lin, status: 2 }, '5', 'user.disabled'],
    ['a role too low for an admin endpoint', 'admin', lin, '5', 'guard.role'],
    ['an admin where root is required', 'root', { ...lin, role: 10 }, '5', 'guard.role'],
    ['an undefined role of a session', 'user', { ...lin, role: 7 }, '5', 'guard.user-invalid'],
    ['a navigation without a session', 'session', byToken, undefined, 'guard.anonymous'],
    ['a navigation with a session', 'session', lin, undefined, 'admitted'],
    ['a user', 'user', lin, '5', 'admitted'],
    ['root on a user endpoint', 'root', { ...lin, role: 100 }, '5', 'admitted'],
    ['an API key without id header', 'key', byToken, undefined, 'admitted'],
    ['an API key of a banned user', 'key', { ...byToken, status: 2 }, undefined, 'user.disabled'],
  ])('decides for %s', (_why, access, found, header, expected) => {
    expect(outcomeOf(access, found, header)).toBe(expected)
  })

  it('never rejects where signing in is optional, and uses only a valid session', () => {
    expect(admit({ access: 'optional', found: lin, idHeader: undefined })).toEqual(lin)
    for (const found of ['anonymous', 'unknown-token', byToken, { ...lin, status: 2 }] as const) {
      expect(admit({ access: 'optional', found, idHeader: undefined })).toBeUndefined()
    }
  })
})
