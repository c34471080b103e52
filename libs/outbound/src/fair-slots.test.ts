import { describe, expect, it } from 'vitest'
import { FairSlots } from './fair-slots.ts'

const patient = { waitMs: 10_000 }

describe('FairSlots', () => {
  it('bounds each owner and all together', async () => {
    const slots = new FairSlots({ total: 3, per_owner: 2 })
    const order: string[] = []
    const enter = (owner: string) => slots.acquire(owner, patient).then((leave) => (order.push(owner), leave))
    const first = await enter('a')
    const second = await enter('a')
    const third = enter('a')
    const other = await enter('b')
    const last = enter('c')

    expect(order).toEqual(['a', 'a', 'b'])
    other()
    await last
    expect(order).toEqual(['a', 'a', 'b', 'c'])
    first()
    first()
    await third
    expect(slots.active).toBe(3)
    second()
  })

  it('admits the owners that wait in turns', async () => {
    const slots = new FairSlots({ total: 1, per_owner: 1 })
    const order: string[] = []
    const leave = await slots.acquire('z', patient)
    const all = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (owner) => {
      const done = await slots.acquire(owner, patient)
      order.push(owner)
      done()
    })
    leave()
    await Promise.all(all)

    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
    expect(slots.active).toBe(0)
  })

  it('refuses what waited too long or was aborted, and gives its place in the queue to others', async () => {
    const slots = new FairSlots({ total: 1, per_owner: 1 })
    const leave = await slots.acquire('a', patient)
    const client = new AbortController()
    const aborted = slots.acquire('b', { ...patient, signal: client.signal })
    const next = slots.acquire('c', patient)
    client.abort()

    await expect(aborted).rejects.toMatchObject({ failure: 'aborted' })
    await expect(slots.acquire('d', { waitMs: 1 })).rejects.toMatchObject({ failure: 'timeout' })
    await expect(slots.acquire('e', { ...patient, signal: AbortSignal.abort() })).rejects.toMatchObject({ failure: 'aborted' })
    leave()
    ;(await next)()
    expect(slots.active).toBe(0)
  })
})
