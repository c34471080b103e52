import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setInterval as every } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AdmissionQueue } from '../src/admission/admission-queue.ts'
import { startServer } from '../src/server.ts'
import { openTestbed, PRICES, type Account, type Testbed } from './test-relay.ts'

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

const head = (key: string, length: number, more = '') =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-${key}\r\ncontent-length: ${length}\r\n${more}\r\n`

/** Sends the start of a request and collects what comes back until the connection is closed. */
function begin(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<string>()
  let answer = ''
  socket.on('data', (bytes: Buffer) => void (answer += bytes.toString()))
  socket.on('error', () => undefined)
  socket.on('close', () => resolve(answer))
  socket.write(text)
  return { socket, closed: promise, answer: () => answer }
}

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

describe('connections', () => {
  it('are closed when no head arrives in time, and not while a stream is longer than every limit', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~100~25', { models: ['gpt-4o'] })] })
    const relay = await testbed.startRelay({ RELAY_HEADERS_TIMEOUT: 1, RELAY_BODY_TIMEOUT: 1, RELAY_BODY_GRACE: 0 })
    const body = JSON.stringify({ ...(JSON.parse(BODY) as object), stream: true })
    const headed = `${head(account.key, body.length, 'connection: close\r\n')}${body}`

    const [silent, half, stream] = [
      begin(relay.server.port, ''),
      begin(relay.server.port, headed.slice(0, 40)),
      begin(relay.server.port, headed),
    ]

    expect(await half.closed).toMatch(/^HTTP\/1\.1 408 /)
    expect(await silent.closed).toBe('')
    const answer = await stream.closed
    expect(answer).toMatch(/connection: close\r\n/i)
    expect(answer).toContain('data: [DONE]')
    expect(answer).toMatch(/0\r\n\r\n$/)
    await relay.stop()
    await testbed.publish({ channels: [testbed.aChannel('ok', { models: ['gpt-4o'] })] })
  })
})

describe('requests that are not HTTP', () => {
  it.each([
    ['a line that is none', 'HELLO\r\n\r\n', '400 Bad Request'],
    ['a head that is too large', `GET /v1/models HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431 '],
  ])('are refused, and the connection is closed: %s', async (_, text, status) => {
    const relay = await testbed.startRelay()

    expect(await begin(relay.server.port, text).closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status}.*\r\nConnection: close\r\n\r\n$`))
    await relay.stop()
  })
})

describe('a refused request whose body still arrives', () => {
  it('keeps the connection, and serves the next request on it, however slowly the client sends', async () => {
    const relay = await testbed.startRelay()
    const pieces = Array.from({ length: 6 }, () => ' '.repeat(100))
    const { socket, answer } = begin(relay.server.port, head('unknown', 600))
    await vi.waitFor(() => expect(answer()).toMatch(/^HTTP\/1\.1 401 /))

    for await (const _ of every(500)) {
      socket.write(pieces.pop() ?? '')
      if (pieces.length === 0) break
    }
    socket.write(`${head(account.key, BODY.length)}${BODY}`)

    await vi.waitFor(() => expect(answer()).toContain('HTTP/1.1 200'))
    socket.destroy()
    await relay.stop()
  })

  it('loses no answer when the client asked to close the connection', async () => {
    const relay = await testbed.startRelay()
    const piece = Buffer.alloc(1024 * 1024, ' ')
    const client = connect({ port: relay.server.port, host: '127.0.0.1', allowHalfOpen: true })
    client.write(head('unknown', 3 * piece.length, 'connection: close\r\n'))
    client.write(piece)

    const answer = await text(client)
    client.write(piece)
    client.end(piece)

    await expect(once(client, 'close')).resolves.toEqual([false])
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    await relay.stop()
  })
})

describe('bodies that do not arrive', () => {
  const MB = 1024 * 1024
  const serve = async (
    over: Parameters<typeof testbed.startRelay>[0],
    use: (to: { port: number; used: () => number }) => Promise<void>,
  ) => {
    const relay = await testbed.startRelay(over)
    try {
      await use({ port: relay.server.port, used: () => relay.deps.bodies.used })
      await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
    } finally {
      await relay.stop()
    }
  }

  it('take nothing from other users, however much they announce', () =>
    serve({ RELAY_BODY_BUDGET: 2 * MB, RELAY_MAX_BODY: MB }, async ({ port, used }) => {
      const idle = Array.from({ length: 8 }, () => begin(port, `${head(account.key, MB)}{`))
      await vi.waitFor(() => expect(used()).toBe(8))
      const other = { key: (await testbed.anAccount()).key }

      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${other.key}` },
        body: BODY,
      })

      expect(answer.status).toBe(200)
      for (const { socket } of idle) socket.destroy()
    }))

  it('leave room for others when one user sends more than its share', () =>
    serve({ RELAY_BODY_BUDGET: 4 * MB, RELAY_MAX_BODY: MB }, async ({ port, used }) => {
      const half = ' '.repeat(MB / 2)
      const held = [begin(port, head(account.key, MB) + half), begin(port, head(account.key, MB) + half)]
      await vi.waitFor(() => expect(used()).toBe(MB))

      const refused = begin(port, `${head(account.key, 70_000)}${' '.repeat(60_000)}`)
      await vi.waitFor(() => expect(refused.answer()).toContain('HTTP/1.1 429'))
      expect(refused.answer()).toContain('body_share_exhausted')
      const other = await testbed.anAccount()
      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${other.key}` },
        body: BODY,
      })

      expect(answer.status).toBe(200)
      for (const { socket } of [...held, refused]) socket.destroy()
    }))

  it.each([
    ['slower than the minimum rate', { RELAY_BODY_GRACE: 0.5, RELAY_BODY_MIN_RATE: 1000 }],
    ['not complete at the deadline', { RELAY_BODY_TIMEOUT: 1, RELAY_BODY_MIN_RATE: 0 }],
  ])('are refused in the client’s format when they are %s', (_why, over) =>
    serve(over, async ({ port }) => {
      const slow = begin(port, `${head(account.key, 5000)}{"model":`)
      const timer = setInterval(() => slow.socket.write(' '), 50)

      const answer = await slow.closed

      clearInterval(timer)
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer).toContain('"code":"request_timeout"')
    }),
  )

  it('are read without money only where the caller’s group has a model that costs nothing', async () => {
    const channels = [testbed.aChannel('ok', { models: ['gpt-4o'] }), testbed.aChannel('ok', { models: ['gift'], groups: ['vip'] })]
    const prices = [...PRICES, { model: 'gift', ratio: 0 }, { model: 'of no channel', ratio: 0 }]
    await testbed.publish({ channels, prices })
    const poor = await testbed.anAccount({ credited: 0 })
    const vip = await testbed.anAccount({ credited: 0, user_group: 'vip' })
    await serve({}, async ({ port }) => {
      const refused = begin(port, head(poor.key, 100 * MB))
      const served = begin(port, head(vip.key, 100 * MB, 'expect: 100-continue\r\n'))

      await vi.waitFor(() => expect(refused.answer()).toMatch(/^HTTP\/1\.1 403 /))
      await vi.waitFor(() => expect(served.answer()).toContain('100 Continue'))
      for (const { socket } of [refused, served]) socket.destroy()
    })
    await testbed.publish({ channels: [testbed.aChannel('ok', { models: ['gpt-4o'] })] })
  })

  it('are not read at all without money: a large one is refused by its head, also before a 100', () =>
    serve({}, async ({ port, used }) => {
      const [poor, token] = [await testbed.anAccount({ credited: 0 }), await testbed.anAccount({ is_unlimited: false, granted: 0 })]
      const empty = begin(port, head(poor.key, 100 * MB))
      const asked = begin(port, head(poor.key, 100 * MB, 'expect: 100-continue\r\n'))
      const limited = begin(port, head(token.key, 100 * MB))
      const free = begin(port, head(account.key, 100 * MB, 'expect: 100-continue\r\n'))

      await vi.waitFor(() => expect([empty, asked, limited].map(({ answer }) => answer().slice(9, 12))).toEqual(['403', '403', '403']))
      expect(empty.answer()).toContain('insufficient_user_quota')
      await vi.waitFor(() => expect(free.answer()).toContain('100 Continue'))
      expect(used()).toBe(0)
      for (const { socket } of [empty, asked, limited, free]) socket.destroy()
    }))

  it.each([
    ['unpaid', 403, 'insufficient_user_quota'],
    ['role', 403, 'permission_denied'],
    ['over', 400, 'storage_full'],
    ['full', 503, 'background_storage_full'],
  ] as const)('are not read when an upload is refused: %s', (result, status, code) =>
    serve({}, async ({ port, used }) => {
      const other = await testbed.anAccount()
      testbed.controlPlane.calls.uploads.set(account.record.user_id, result)
      const upload = (key: string) => head(key, 50 * MB, 'expect: 100-continue\r\n').replace('/v1/chat/completions', '/v1/files')
      const refused = begin(port, upload(account.key))
      const served = begin(port, upload(other.key))

      await vi.waitFor(() => expect(refused.answer().slice(9, 12)).toBe(String(status)))
      expect(refused.answer()).toContain(code)
      await vi.waitFor(() => expect(served.answer()).toContain('100 Continue'))
      expect(used()).toBe(0)
      for (const { socket } of [refused, served]) socket.destroy()
    }),
  )
})
