import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

const MB = 1024 * 1024
const budget = () => createBodyBudget({ total: 512 * MB, max_body: 128 * MB })

describe('the body budget', () => {
  it('gives one user a quarter and one address half of it', () => {
    const bodies = budget()
    const sizes = (owner: { user_id?: number; ip: string }) =>
      Array.from({ length: 9 }, () => bodies.open(owner).cover(32 * MB)).filter((result) => result === 'covered').length

    expect(sizes({ user_id: 1, ip: 'a' })).toBe(4)
    expect(sizes({ user_id: 2, ip: 'a' })).toBe(4)
    expect(sizes({ user_id: 3, ip: 'a' })).toBe(0)
    expect(sizes({ ip: 'b' })).toBe(8)
    expect(bodies.open({ user_id: 4, ip: 'c' }).cover(1)).toBe('full')
  })

  it('has room again for an owner whose bodies were released, however often they are', () => {
    const bodies = budget()
    const first = bodies.open({ user_id: 1, ip: 'a' })
    expect(first.cover(128 * MB)).toBe('covered')
    const second = bodies.open({ user_id: 1, ip: 'a' })
    expect(second.cover(1)).toBe('share')

    first.close()
    first.close()

    expect(second.cover(1)).toBe('covered')
    expect(second.cover(1)).toBe('covered')
    expect(bodies.used).toBe(1)
    second.close()
    expect(bodies.used).toBe(0)
  })

  it('lets every body of the maximum size through, however small the budget', () => {
    expect(
      createBodyBudget({ total: 128 * MB, max_body: 128 * MB })
        .open({ user_id: 1, ip: 'a' })
        .cover(128 * MB),
    ).toBe('covered')
  })
})
