import { describe, expect, it } from 'vitest'
import { Budget, type Refusal, type Share } from './budget.ts'

const held = (result: Share | Refusal): Share => {
  if (typeof result === 'string') throw new Error(`refused: ${result}`)
  return result
}
const queue = { maxWaitMs: 60_000, maxWaiting: 10, maxWaitingPerOwner: 3 }

describe('a budget', () => {
  it('gives a user and an address their shares, and the rest to others', () => {
    const calls = new Budget({ name: 'calls', total: 4, perUser: 2, perAddress: 3 })
    const take = (user: number, address: string) => calls.tryTake({ user, address })

    held(take(1, 'a'))
    held(take(1, 'b'))
    expect(take(1, 'c')).toBe('share')
    held(take(2, 'a'))
    held(take(3, 'a'))
    expect(take(4, 'b')).toBe('full')
    expect(calls).toMatchObject({ used: 4, refused: { share: 1, full: 1 } })
  })

  it('counts a share that is released twice once', () => {
    const calls = new Budget({ name: 'calls', total: 2 })
    const first = held(calls.tryTake({ user: 1 }))
    held(calls.tryTake({ user: 1 }))

    first.release()
    first.release()

    expect(calls.used).toBe(1)
  })

  it('lets a share of bytes grow up to the share of its user', () => {
    const bytes = new Budget({ name: 'bytes', total: 100, perUser: 60 })
    const one = held(bytes.tryTake({ user: 1 }, 10))

    expect(one.cover(60)).toBe('covered')
    expect(one.cover(61)).toBe('share')
    expect(held(bytes.tryTake({ user: 2 }, 10)).cover(41)).toBe('full')
    one.release()
    expect(bytes.used).toBe(10)
  })

  it('serves the owner that holds least before one that waits longer', async () => {
    const calls = new Budget({ name: 'calls', total: 2, queue })
    const first = held(await calls.take({ user: 1 }))
    const second = held(await calls.take({ user: 1 }))
    const order: string[] = []
    const wait = async (user: number, name: string) => {
      const share = held(await calls.take({ user }))
      order.push(name)
      return share
    }
    const third = wait(1, 'third of one')
    const fourth = wait(1, 'fourth of one')
    const other = wait(2, 'first of two')

    first.release()
    await other
    second.release()
    const share = await third
    expect(order).toEqual(['first of two', 'third of one'])
    share.release()
    await fourth

    expect(calls).toMatchObject({ used: 2, waiting: 0 })
  })

  it('keeps no place for a waiter that its own share blocks', async () => {
    const calls = new Budget({ name: 'calls', total: 3, perUser: 2, queue })
    const first = held(await calls.take({ user: 1 }))
    held(await calls.take({ user: 1 }))
    const blocked = calls.take({ user: 1 })

    held(await calls.take({ user: 2 })).release()
    held(calls.tryTake({ user: 3 })).release()
    expect(calls.waiting).toBe(1)
    first.release()

    held(await blocked)
  })

  it('refuses what would wait behind too many of the same owner, and of all', async () => {
    const calls = new Budget({ name: 'calls', total: 1, queue: { ...queue, maxWaiting: 4 } })
    const running = held(await calls.take({ user: 1 }))
    const stop = new AbortController()
    const waiting = Array.from({ length: 3 }, () => calls.take({ user: 1 }, { signal: stop.signal }))

    expect(await calls.take({ user: 1 })).toBe('share')
    const other = calls.take({ user: 2 }, { signal: stop.signal })
    expect(await calls.take({ user: 3 })).toBe('full')
    stop.abort()

    expect(await Promise.all([...waiting, other])).toEqual(['aborted', 'aborted', 'aborted', 'aborted'])
    running.release()
    expect(calls).toMatchObject({ used: 0, waiting: 0 })
  })

  it('ends a wait at its deadline', async () => {
    const calls = new Budget({ name: 'calls', total: 1, queue: { ...queue, maxWaitMs: 1 } })
    held(await calls.take({ user: 1 }))

    expect(await calls.take({ user: 2 })).toBe('late')
    expect(calls).toMatchObject({ waiting: 0, refused: { late: 1 } })
  })

  it('refuses at once what can never fit', async () => {
    const bytes = new Budget({ name: 'bytes', total: 10, perUser: 5, queue })

    expect(await bytes.take({ user: 1 }, { units: 6 })).toBe('share')
  })
})
