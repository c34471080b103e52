import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { withFacts } from '@tollgate/db/logged-event'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { keys } from '@tollgate/redis/keys'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createReader, formats as chaosFormats, type Format } from './chaos/formats.ts'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Service, type Stack } from './support/stack.ts'

const run = promisify(execFile)

/** The vendor's behaviour, by model. */
const SCENARIOS = {
  'all-well': 'paced~2~20',
  'broken-off': 'cut-mid-stream',
  'broken-before': 'reset',
  'silent-in-the-middle': 'stall',
  'silent-from-the-start': 'silent',
  abandoned: 'silent',
  long: 'paced~50~140',
} as const
type Model = keyof typeof SCENARIOS

/** Client formats. The vendor's is OpenAI's, so the others are translated. */
const formats = {
  ...chaosFormats,
  anthropic: {
    path: () => '/v1/messages',
    headers: (key) => ({ 'x-api-key': `sk-${key}`, 'anthropic-version': '2023-06-01' }),
    body: ({ model, is_stream }) => ({ model, stream: is_stream, max_tokens: 4000, messages: [{ role: 'user', content: 'Say hello' }] }),
    isEnd: (line) => line === 'event: message_stop',
  },
  gemini: {
    path: ({ model, is_stream }) => `/v1beta/models/${model}:${is_stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: (key) => ({ 'x-goog-api-key': `sk-${key}` }),
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] }),
    isEnd: (line) => line.includes('"finishReason"'),
  },
} as const satisfies Record<string, Format>
type FormatName = keyof typeof formats
const FORMAT_NAMES = ['openai', 'anthropic', 'gemini'] as const satisfies readonly FormatName[]

type Seen = { readonly status: number; readonly bytes: number; readonly isComplete: boolean }
type Cell = {
  readonly name: string
  readonly model: Model
  readonly stream?: boolean
  /** The client resets its connection after reading this many bytes of the body. */
  readonly resetAt?: number
  /** The client disconnects as soon as the vendor has been called. */
  readonly disconnectsOnceCalled?: boolean
  readonly states: readonly string[]
  readonly isCharged: boolean
  readonly isComplete: boolean
}

const settled = { states: ['settled'], isCharged: true, isComplete: true } as const
const estimated = { states: ['estimated'], isCharged: true, isComplete: false } as const
const released = { states: ['released'], isCharged: false, isComplete: false } as const

const CELLS: readonly Cell[] = [
  { name: 'a stream that ends', model: 'all-well', ...settled },
  { name: 'a whole response', model: 'all-well', stream: false, ...settled },
  // The client read no body, but the relay had sent the head after the upstream's first event.
  { name: 'a reset at byte 0', model: 'long', resetAt: 0, ...estimated },
  { name: 'a reset at byte 1', model: 'long', resetAt: 1, ...estimated },
  { name: 'a reset inside the first event with content', model: 'long', resetAt: 250, ...estimated },
  { name: 'a reset after some words', model: 'long', resetAt: 2000, ...estimated },
  {
    name: 'a client that disconnects before a whole response',
    model: 'abandoned',
    stream: false,
    disconnectsOnceCalled: true,
    ...released,
  },
  { name: 'upstream resets in the middle', model: 'broken-off', ...estimated },
  { name: 'upstream resets before its first byte', model: 'broken-before', ...released },
  { name: 'upstream falls silent in the middle', model: 'silent-in-the-middle', ...estimated },
  { name: 'upstream never answers', model: 'silent-from-the-start', ...released },
]

describe('L2: every admitted request has one terminal state, and no completed response is free', () => {
  const agent = new Agent({ keepAlive: false })
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let redis: Redis
  let relayToKill: Service
  let relayToFreeze: Service

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack({ relayEnv: { STREAMING_TIMEOUT: '2', FIRST_BYTE_TIMEOUT: '2' }, workerEnv: { REAP_AFTER: '3' } })
    redis = new Redis(stack.redis.url)
    // One relay to kill and one to freeze; their own timeouts must not come first.
    const longTimeouts = { STREAMING_TIMEOUT: '60', FIRST_BYTE_TIMEOUT: '60' }
    relayToKill = await stack.startRelay(longTimeouts)
    relayToFreeze = await stack.startRelay(longTimeouts)
    api = await setUp(stack.controlPlane.url)
    const ratios = Object.fromEntries(Object.keys(SCENARIOS).map((model) => [model, 100]))
    must(await api.put('/api/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) }))
    const completions = Object.fromEntries(Object.keys(SCENARIOS).map((model) => [model, 1]))
    must(await api.put('/api/option/', { key: 'CompletionRatio', value: JSON.stringify(completions) }))
    for (const [model, scenario] of Object.entries(SCENARIOS))
      await createChannel(api, { base_url: `${vendor.url}/${scenario}`, models: model, name: model, auto_ban: 0 })
    for (const { url } of [relay(), relayToKill, relayToFreeze]) await vi.waitUntil(() => hasAllModels(url), { timeout: 10_000 })
  })
  afterAll(async () => {
    agent.destroy()
    redis.disconnect()
    await stack.stop()
    await vendor.stop()
  })

  const relay = (): Service => {
    const [first] = stack.relays
    if (first === undefined) throw new Error('no relay')
    return first
  }

  const hasAllModels = async (url: string): Promise<boolean> => {
    const { key } = await seedUser(stack, { credited: 1, granted: 1 })
    const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    const text = await answer.text()
    return Object.keys(SCENARIOS).every((model) => text.includes(`"${model}"`))
  }

  const createUser = (): Promise<Seeded> => seedUser(stack, { credited: 50_000_000, granted: 50_000_000 })

  type Call = {
    readonly format: FormatName
    readonly model: Model
    readonly stream?: boolean
    readonly resetAt?: number
    readonly disconnectsOnceCalled?: boolean
  }

  /** Sends a request in this format and reads the response to its end or until `resetAt`. */
  const sendRequest = async (
    url: string,
    user: Seeded,
    { format: name, model, stream = true, resetAt, disconnectsOnceCalled }: Call,
  ): Promise<Seen> => {
    const format: Format = formats[name]
    const reader = createReader(format, stream)
    const chatRequest = { id: 'x', model, is_stream: stream, wants_usage: false, max_tokens: undefined }
    const seen = { status: 0, bytes: 0, isComplete: false }
    const headers = { ...format.headers(user.key), 'content-type': 'application/json' }
    const call = request(url + format.path(chatRequest), { method: 'POST', agent, headers })
    const before = callsFor(model)
    const disconnected =
      disconnectsOnceCalled === true
        ? vi.waitUntil(() => callsFor(model) > before, { timeout: 10_000 }).then(() => call.destroy())
        : undefined
    try {
      call.end(JSON.stringify(format.body(chatRequest)))
      const [answer]: IncomingMessage[] = await once(call, 'response')
      if (answer === undefined) return seen
      seen.status = answer.statusCode ?? 0
      if (resetAt === 0) call.socket?.resetAndDestroy()
      for await (const chunk of answer) {
        const bytes = Buffer.from(chunk)
        seen.bytes += bytes.length
        reader.read(bytes)
        if (resetAt !== undefined && seen.bytes >= resetAt) call.socket?.resetAndDestroy()
      }
      seen.isComplete = seen.status === 200 && !reader.hasError && (stream ? reader.hasEndMarker : answer.complete)
    } catch {
      // Reset by the client, by upstream or by a killed relay; `seen` has what was read before.
    }
    await disconnected
    return seen
  }

  const callsFor = (model: Model): number => vendor.calls.filter(({ text }) => text.includes(`"${model}"`)).length

  type Row = { readonly state: string; readonly quota: number }
  const rowsOf = async ({ userId }: Seeded): Promise<Row[]> =>
    await stack.database.db.selectFrom('logs').select(['state', 'quota']).where('user_id', '=', userId).orderBy('id').execute()

  const firstRow = async (user: Seeded, timeout = 20_000): Promise<Row[]> =>
    await vi.waitFor(
      async () => {
        const rows = await rowsOf(user)
        expect(rows.length).toBeGreaterThan(0)
        return rows
      },
      { timeout, interval: 100 },
    )

  it.each(FORMAT_NAMES)('%s: finish, client reset, upstream reset and upstream timeout, all concurrently', async (format) => {
    const results = await Promise.all(
      CELLS.map(async (cell) => {
        const user = await createUser()
        const seen = await sendRequest(relay().url, user, { format, ...cell })
        const rows = await firstRow(user)
        return { cell, seen, rows }
      }),
    )

    const shown = results.map(({ cell: { name }, seen, rows }) => ({
      name,
      isComplete: seen.isComplete,
      states: rows.map(({ state }) => state),
      isCharged: rows.some(({ quota }) => quota > 0),
    }))
    expect(shown).toEqual(CELLS.map(({ name, isComplete, states, isCharged }) => ({ name, isComplete, states, isCharged })))
  })

  it('every format: a relay that is killed after and before it delivered words', async () => {
    const cases = await Promise.all(
      FORMAT_NAMES.map(async (format) => ({ format, streaming: await createUser(), waiting: await createUser() })),
    )
    const silent = vendor.callsOf('silent').length
    const calls = cases.flatMap(({ format, streaming, waiting }) => [
      sendRequest(relayToKill.url, streaming, { format, model: 'long' }),
      sendRequest(relayToKill.url, waiting, { format, model: 'silent-from-the-start' }),
    ])
    await vi.waitFor(() => expect(vendor.callsOf('silent').length).toBe(silent + cases.length))
    // A request's delivered words are recorded from its second second on.
    await expect.poll(recorded, { timeout: 10_000 }).toBe(cases.length)
    await relayToKill.end('SIGKILL')

    expect((await Promise.all(calls)).some(({ isComplete }) => isComplete)).toBe(false)
    for (const { streaming, waiting } of cases) {
      expect(await firstRow(streaming, 30_000)).toEqual([{ state: 'estimated', quota: expect.toSatisfy((quota: number) => quota > 0) }])
      expect(await firstRow(waiting, 30_000)).toEqual([{ state: 'released', quota: 0 }])
    }
  })

  it('every format: the reaper settles for a relay that is frozen in mid-response, and the relay corrects the charge once', async () => {
    const cases = await Promise.all(FORMAT_NAMES.map(async (format) => ({ format, user: await createUser(), whole: await createUser() })))
    const calls = cases.map(({ format, user }) => sendRequest(relayToFreeze.url, user, { format, model: 'long' }))
    await expect.poll(recorded, { timeout: 10_000 }).toBe(cases.length)

    relayToFreeze.process.kill('SIGSTOP')
    const estimates = await Promise.all(cases.map(({ user }) => firstRow(user, 30_000)))
    relayToFreeze.process.kill('SIGCONT')

    expect((await Promise.all(calls)).every(({ isComplete }) => isComplete)).toBe(true)
    for (const [at, { format, user, whole }] of cases.entries()) {
      expect(estimates[at]).toMatchObject([{ state: 'estimated' }])
      await expect.poll(async () => (await rowsOf(user)).map(({ state }) => state), { timeout: 20_000 }).toEqual(['estimated', 'late'])
      // Estimate and correction add up to the usage that upstream reported.
      await sendRequest(relay().url, whole, { format, model: 'all-well' })
      const [settledRow] = await firstRow(whole)
      expect((await rowsOf(user)).reduce((sum, { quota }) => sum + quota, 0)).toBe(settledRow?.quota)
    }
  })

  it('L6: edits of prices, groups and the quota unit change no charge of an open or stored request', async () => {
    const user = await createUser()
    const open = sendRequest(relay().url, user, { format: 'openai', model: 'long' })
    await vi.waitFor(() => expect(vendor.open()).toBeGreaterThan(0))
    const edits = { ModelRatio: JSON.stringify({ long: 7 }), GroupRatio: '{"default":3}', QuotaPerUnit: '1000000' }
    for (const [key, value] of Object.entries(edits)) must(await api.put('/api/option/', { key, value }))
    expect((await open).isComplete).toBe(true)
    await firstRow(user)

    const { db } = stack.database
    const stored = await db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    const rows = stored.map(withFacts)
    const first = rows.filter(({ state }) => state !== 'late')
    const replayed = first.map(({ request_id, quote, usage }) => ({
      request_id,
      quota: quote === null || usage === null ? undefined : chargeOf(quote, usage).charge,
    }))

    expect(rows.find(({ user_id }) => user_id === user.userId)?.quote).toMatchObject({
      model_ratio: 100,
      group_ratio: 1,
      quota_per_unit: 500_000,
    })
    expect(replayed.length).toBeGreaterThan(5)
    expect(replayed).toEqual(first.map(({ request_id, quota }) => ({ request_id, quota })))
  })

  it('leaves no difference for the verifier', async () => {
    const verified = await run(process.execPath, [join(import.meta.dirname, '../services/worker/src/verify-ledger.ts')], {
      env: { ...stack.env },
    })

    expect(verified.stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))).toEqual([])
  })

  /** Number of open requests with delivered words recorded in Redis. */
  const recorded = async (): Promise<number> => {
    const all = await Promise.all(Array.from({ length: Number(stack.env['SHARDS']) }, (_, shard) => redis.hvals(keys.progress(shard))))
    return all.flat().filter((text) => /"completion_tokens":[1-9]/.test(text)).length
  }
})
