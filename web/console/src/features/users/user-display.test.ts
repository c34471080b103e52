import { describe, expect, it } from 'vitest'
import { aUser } from '../../testing/factories.ts'
import { actionsOn, mayManage, roleOf, statusOf } from './user-display.ts'

const root = { role: 100 }
const admin = { role: 10 }
const someone = aUser({ id: 2, role: 1 })

describe('what can be done with a user', () => {
  it.each([
    ['root with a user', root, someone, ['promote', 'disable', 'delete']],
    ['root with an administrator', root, { ...someone, role: 10 }, ['demote', 'disable', 'delete']],
    ['root with itself', root, { ...someone, role: 100 }, []],
    ['an administrator with a user', admin, someone, ['disable', 'delete']],
    ['an administrator with a banned user', admin, { ...someone, status: 2 }, ['enable', 'delete']],
    ['an administrator with status 3', admin, { ...someone, status: 3 }, ['delete']],
    ['an administrator with another', admin, { ...someone, role: 10 }, []],
    ['anyone with a deleted user', root, { ...someone, DeletedAt: '2026-01-01T00:00:00Z' }, []],
  ])('%s', (_who, viewer, user, actions) => {
    expect(actionsOn(viewer, user)).toEqual(actions)
  })

  it('follows the rule of rank', () => {
    expect([
      mayManage(root, { ...someone, role: 100 }),
      mayManage(admin, someone),
      mayManage({ role: 1 }, someone),
      mayManage(undefined, someone),
    ]).toEqual([true, true, false, false])
  })
})

describe('names of roles and states', () => {
  it.each([
    [1, 'user'],
    [10, 'admin'],
    [100, 'root'],
    [7, 'unknown'],
  ])('role %d is %s', (role, name) => {
    expect(roleOf({ role })).toBe(name)
  })

  it.each([
    [1, null, 'enabled'],
    [2, null, 'disabled'],
    [3, null, 'unknown'],
    [1, '2026-01-01T00:00:00Z', 'deleted'],
  ])('status %d, deleted %s: %s', (status, DeletedAt, name) => {
    expect(statusOf({ status, DeletedAt }).text).toBe(name)
  })
})
