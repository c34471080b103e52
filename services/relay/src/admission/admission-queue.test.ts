import { AppError } from '@tollgate/contracts/app-error'
import { describe, expect, it } from 'vitest'
import { AdmissionQueue, type Permit } from './admission-queue.ts'
import { ClientDisconnectedError } from '../errors/client-disconnected-error.ts'

const PRESENT = { isClosed: false }

function admissionQueueOf(maxConcurrent: number) {
  const clock = { now: 0 }
  return { clock, admissionQueue: new AdmissionQueue({ maxConcurrent, maxQueueMs: 1000, now: () => clock.now }) }
}

const placeOf = (entered: Permit | Promise<Permit>): Permit => {
  if (entered instanceof Promise) throw new Error('it had to wait')
  return entered
}

describe('AdmissionQueue', () => {
  it('grants permits synchronously up to the limit', () => {
    const { admissionQueue } = admissionQueueOf(2)

    placeOf(admissionQueue.acquire(PRESENT))
    placeOf(admissionQueue.acquire(PRESENT))

    expect(admissionQueue.acquire(PRESENT)).toBeInstanceOf(Promise)
    expect(admissionQueue).toMatchObject({ active: 2, waiting: 1 })
  })

  it('grants one queued request per release, in order of arrival', async () => {
    const { admissionQueue } = admissionQueueOf(1)
    const first = placeOf(admissionQueue.acquire(PRESENT))
    const order: string[] = []
    const enter = async (name: string) => {
      const permit = await admissionQueue.acquire(PRESENT)
      order.push(name)
      permit.release()
    }
    const others = [enter('second'), enter('third'), enter('fourth')]

    first.release()
    await Promise.all(others)

    expect(order).toEqual(['second', 'third', 'fourth'])
    expect(admissionQueue).toMatchObject({ active: 0, waiting: 0 })
  })

  it('counts a permit that is released twice once', () => {
    const { admissionQueue } = admissionQueueOf(2)
    const first = placeOf(admissionQueue.acquire(PRESENT))
    placeOf(admissionQueue.acquire(PRESENT))

    first.release()
    first.release()

    expect(admissionQueue.active).toBe(1)
  })

  it('skips a request whose client has disconnected', async () => {
    const { admissionQueue } = admissionQueueOf(1)
    const first = placeOf(admissionQueue.acquire(PRESENT))
    const gone = admissionQueue.acquire({ isClosed: true })
    const next = admissionQueue.acquire(PRESENT)

    first.release()

    await expect(gone).rejects.toBeInstanceOf(ClientDisconnectedError)
    expect(await next).toHaveProperty('release')
    expect(admissionQueue).toMatchObject({ active: 1, waiting: 0 })
  })

  it('rejects a request that waited too long, and grants the next', async () => {
    const { admissionQueue, clock } = admissionQueueOf(1)
    const first = placeOf(admissionQueue.acquire(PRESENT))
    const late = admissionQueue.acquire(PRESENT)
    clock.now = 900
    const next = admissionQueue.acquire(PRESENT)
    clock.now = 1001

    first.release()

    await expect(late).rejects.toMatchObject(new AppError('request.busy'))
    expect(await next).toHaveProperty('release')
  })
})
