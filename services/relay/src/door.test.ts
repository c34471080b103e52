import { AppError } from '@tollgate/contracts/app-error'
import { describe, expect, it } from 'vitest'
import { Door, type Place } from './door.ts'
import { ClientGone } from './intake/collect-body.ts'

const PRESENT = { isClosed: false }

function doorOf(atOnce: number) {
  const clock = { now: 0 }
  return { clock, door: new Door({ atOnce, longestWaitMs: 1000, now: () => clock.now }) }
}

const placeOf = (entered: Place | Promise<Place>): Place => {
  if (entered instanceof Promise) throw new Error('it had to wait')
  return entered
}

describe('the door', () => {
  it('lets in at once as many as it may', () => {
    const { door } = doorOf(2)

    placeOf(door.enter(PRESENT))
    placeOf(door.enter(PRESENT))

    expect(door.enter(PRESENT)).toBeInstanceOf(Promise)
    expect(door).toMatchObject({ inside: 2, waiting: 1 })
  })

  it('lets the others in one for one, in the order in which they came', async () => {
    const { door } = doorOf(1)
    const first = placeOf(door.enter(PRESENT))
    const order: string[] = []
    const enter = async (name: string) => {
      const place = await door.enter(PRESENT)
      order.push(name)
      place.leave()
    }
    const others = [enter('second'), enter('third'), enter('fourth')]

    first.leave()
    await Promise.all(others)

    expect(order).toEqual(['second', 'third', 'fourth'])
    expect(door).toMatchObject({ inside: 0, waiting: 0 })
  })

  it('counts who leaves twice once', () => {
    const { door } = doorOf(2)
    const first = placeOf(door.enter(PRESENT))
    placeOf(door.enter(PRESENT))

    first.leave()
    first.leave()

    expect(door.inside).toBe(1)
  })

  it('passes over who is not there any more', async () => {
    const { door } = doorOf(1)
    const first = placeOf(door.enter(PRESENT))
    const gone = door.enter({ isClosed: true })
    const next = door.enter(PRESENT)

    first.leave()

    await expect(gone).rejects.toBeInstanceOf(ClientGone)
    expect(await next).toHaveProperty('leave')
    expect(door).toMatchObject({ inside: 1, waiting: 0 })
  })

  it('refuses who has waited too long, and lets in who has not', async () => {
    const { door, clock } = doorOf(1)
    const first = placeOf(door.enter(PRESENT))
    const late = door.enter(PRESENT)
    clock.now = 900
    const next = door.enter(PRESENT)
    clock.now = 1001

    first.leave()

    await expect(late).rejects.toMatchObject(new AppError('request.busy'))
    expect(await next).toHaveProperty('leave')
  })
})
