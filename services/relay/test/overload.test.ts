import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AdmissionQueue } from '../src/admission/admission-queue.ts'
import { startServer } from '../src/server.ts'
import { openTestbed, type Account, type Testbed } from './test-relay.ts'

let testbed: Testbed
let account: Account

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('ok', { models: ['gpt-4o'] })] })
})
afterAll(() => testbed.close())
beforeEach(async () => {
  account = await testbed.anAccount()
})

const BODY = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] })

type Narrow = { readonly port: number; readonly admissionQueue: AdmissionQueue; readonly bodies: { readonly used: number } }

/** A relay with a single admission permit. */
async function narrow(maxQueueMs: number, use: (to: Narrow) => Promise<void>): Promise<void> {
  const relay = await testbed.startRelay()
  const admissionQueue = new AdmissionQueue({ maxConcurrent: 1, maxQueueMs })
  const server = await startServer({ ...relay.deps, admissionQueue })
  try {
    await use({ port: server.port, admissionQueue, bodies: relay.deps.bodies })
  } finally {
    await server.drain(1000)
    await relay.stop()
  }
}

async function chat({ port }: Narrow) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: BODY,
  })
  const body = (await answer.json()) as { error?: { code: string } }
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), code: body.error?.code }
}

/** Keeps the permit taken by a request whose reserve call is not answered. */
async function occupy(to: Narrow, ms: number) {
  expect(await chat(to)).toMatchObject({ status: 200 })
  await testbed.redis.client('PAUSE', ms, 'WRITE')
  const answer = chat(to)
  await vi.waitFor(() => expect(to.admissionQueue.active).toBe(1), { interval: 2 })
  return { answer }
}

const waiting = (admissionQueue: AdmissionQueue, count: number) =>
  vi.waitFor(() => expect(admissionQueue.waiting).toBe(count), { interval: 2 })

describe('requests beyond the admission limit', () => {
  it('are all served, and their buffered bytes are released', () =>
    narrow(10_000, async (to) => {
      const first = await occupy(to, 300)
      const others = [chat(to), chat(to), chat(to)]
      await waiting(to.admissionQueue, 3)
      expect(to.bodies.used).toBe(4 * BODY.length)

      expect((await Promise.all([first.answer, ...others])).map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(to.admissionQueue).toMatchObject({ active: 0, waiting: 0 })
      expect(to.bodies.used).toBe(0)
    }))

  it('are refused with Retry-After when they waited too long', () =>
    narrow(100, async (to) => {
      const first = await occupy(to, 400)
      const late = chat(to)

      expect(await first.answer).toMatchObject({ status: 200 })
      expect(await late).toMatchObject({ status: 503, code: 'body_budget_exhausted', retryAfter: expect.stringMatching(/^\d+$/) as string })
      expect(await chat(to)).toMatchObject({ status: 200 })
      expect(to.bodies.used).toBe(0)
    }))

  it('do not wait for a request whose body is still arriving', () =>
    narrow(10_000, async (to) => {
      const first = await occupy(to, 300)
      const slow = connect(to.port, '127.0.0.1')
      slow.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-${account.key}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY.slice(0, 10)}`,
      )
      await waiting(to.admissionQueue, 1)
      const next = chat(to)
      await waiting(to.admissionQueue, 2)

      expect(await first.answer).toMatchObject({ status: 200 })
      expect(await next).toMatchObject({ status: 200 })
      const answered = new Promise<string>((resolve) => slow.once('data', (bytes: Buffer) => resolve(bytes.toString())))
      slow.write(BODY.slice(10))
      expect(await answered).toContain('HTTP/1.1 200')
      slow.destroy()
    }))

  it('are skipped when their client has disconnected', () =>
    narrow(10_000, async (to) => {
      const first = await occupy(to, 300)
      const leaves = connect(to.port, '127.0.0.1')
      leaves.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-${account.key}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
      )
      await waiting(to.admissionQueue, 1)
      leaves.destroy()
      const next = chat(to)
      await waiting(to.admissionQueue, 2)

      expect(await first.answer).toMatchObject({ status: 200 })
      expect(await next).toMatchObject({ status: 200 })
      const events = await testbed.eventsOf(account)
      expect(events).toHaveLength(3)
    }))
})
