import { AppError } from '@tollgate/contracts/app-error'
import { describe, expect, it } from 'vitest'
import { AdmissionQueue, type Permit } from './admission-queue.ts'
import { ClientDisconnect } from '../transport/body/collect-body.ts'

const PRESENT = { isClosed: false }

function admissionQueueOf(atOnce: number) {
  const clock = { now: 0 }
  return { clock, admissionQueue: new AdmissionQueue({ atOnce, longestWaitMs: 1000, now: () => clock.now }) }
}

const placeOf = (entered: Permit | Promise<Permit>): Permit => {
  if (entered instanceof Promise) throw new Error('it had to wait')
  return entered
}

describe('the door', () => {
  it('lets in at once as many as it may', () => {
    const { admissionQueue } = admissionQueueOf(2)

    placeOf(admissionQueue.enter(PRESENT))
    placeOf(admissionQueue.enter(PRESENT))

    expect(admissionQueue.enter(PRESENT)).toBeInstanceOf(Promise)
    expect(admissionQueue).toMatchObject({ inside: 2, waiting: 1 })
  })

  it('lets the others in one for one, in the order in which they came', async () => {
    const { admissionQueue } = admissionQueueOf(1)
    const first = placeOf(admissionQueue.enter(PRESENT))
    const order: string[] = []
    const enter = async (name: string) => {
      const permit = await admissionQueue.enter(PRESENT)
      order.push(name)
      permit.leave()
    }
    const others = [enter('second'), enter('third'), enter('fourth')]

    first.leave()
    await Promise.all(others)

    expect(order).toEqual(['second', 'third', 'fourth'])
    expect(admissionQueue).toMatchObject({ inside: 0, waiting: 0 })
  })

  it('counts who leaves twice once', () => {
    const { admissionQueue } = admissionQueueOf(2)
    const first = placeOf(admissionQueue.enter(PRESENT))
    placeOf(admissionQueue.enter(PRESENT))

    first.leave()
    first.leave()

    expect(admissionQueue.inside).toBe(1)
  })

  it('passes over who is not there any more', async () => {
    const { admissionQueue } = admissionQueueOf(1)
    const first = placeOf(admissionQueue.enter(PRESENT))
    const gone = admissionQueue.enter({ isClosed: true })
    const next = admissionQueue.enter(PRESENT)

    first.leave()

    await expect(gone).rejects.toBeInstanceOf(ClientDisconnect)
    expect(await next).toHaveProperty('leave')
    expect(admissionQueue).toMatchObject({ inside: 1, waiting: 0 })
  })

  it('refuses who has waited too long, and lets in who has not', async () => {
    const { admissionQueue, clock } = admissionQueueOf(1)
    const first = placeOf(admissionQueue.enter(PRESENT))
    const late = admissionQueue.enter(PRESENT)
    clock.now = 900
    const next = admissionQueue.enter(PRESENT)
    clock.now = 1001

    first.leave()

    await expect(late).rejects.toMatchObject(new AppError('request.busy'))
    expect(await next).toHaveProperty('leave')
  })
})
