import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { keys } from '@tollgate/redis/keys'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createReader, formats as chaosFormats, type Format } from './chaos/formats.ts'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Service, type Stack } from './support/stack.ts'

const run = promisify(execFile)

/** What the vendor does, by the model that is asked for. */
const SCENARIOS = {
  'all-well': 'paced~2~20',
  'broken-off': 'cut-mid-stream',
  'broken-before': 'reset',
  'silent-in-the-middle': 'stall',
  'silent-from-the-start': 'silent',
  unheard: 'silent',
  long: 'paced~50~140',
} as const
type Model = keyof typeof SCENARIOS

/** Client formats the endings are tried in. The vendor speaks OpenAI's: the others are translated. */
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
  /** The client resets its connection when so many bytes of the answer's body were read. */
  readonly resetAt?: number
  /** The client leaves as soon as the vendor has been called, answer or not. */
  readonly leavesOnceCalled?: boolean
  readonly states: readonly string[]
  readonly isCharged: boolean
  readonly isComplete: boolean
}

const settled = { states: ['settled'], isCharged: true, isComplete: true } as const
const estimated = { states: ['estimated'], isCharged: true, isComplete: false } as const
const released = { states: ['released'], isCharged: false, isComplete: false } as const

const CELLS: readonly Cell[] = [
  { name: 'a stream that ends', model: 'all-well', ...settled },
  { name: 'a whole answer', model: 'all-well', stream: false, ...settled },
  // Nothing of the body was read, but its head was sent behind upstream's first event.
  { name: 'a reset at byte 0', model: 'long', resetAt: 0, ...estimated },
  { name: 'a reset at byte 1', model: 'long', resetAt: 1, ...estimated },
  { name: 'a reset inside the first event with content', model: 'long', resetAt: 250, ...estimated },
  { name: 'a reset after some words', model: 'long', resetAt: 2000, ...estimated },
  { name: 'a whole answer that nobody waits for', model: 'unheard', stream: false, leavesOnceCalled: true, ...released },
  { name: 'upstream resets in the middle', model: 'broken-off', ...estimated },
  { name: 'upstream resets before its first byte', model: 'broken-before', ...released },
  { name: 'upstream falls silent in the middle', model: 'silent-in-the-middle', ...estimated },
  { name: 'upstream never answers', model: 'silent-from-the-start', ...released },
]

describe('L2: every admitted request has one terminal state, and no end of an answer is free', () => {
  const agent = new Agent({ keepAlive: false })
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let redis: Redis
  let mortal: Service
  let sleeper: Service

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack({ relayEnv: { STREAMING_TIMEOUT: '2', FIRST_BYTE_TIMEOUT: '2' }, workerEnv: { REAP_AFTER: '3' } })
    redis = new Redis(stack.redis.url)
    // One that is killed, and one that stands still; their own timeouts must not come first.
    const patient = { STREAMING_TIMEOUT: '60', FIRST_BYTE_TIMEOUT: '60' }
    mortal = await stack.startRelay(patient)
    sleeper = await stack.startRelay(patient)
    api = await setUp(stack.controlPlane.url)
    const ratios = Object.fromEntries(Object.keys(SCENARIOS).map((model) => [model, 100]))
    must(await api.put('/api/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) }))
    for (const [model, scenario] of Object.entries(SCENARIOS))
      await createChannel(api, { base_url: `${vendor.url}/${scenario}`, models: model, name: model, auto_ban: 0 })
    for (const { url } of [relay(), mortal, sleeper]) await vi.waitUntil(() => knowsAll(url), { timeout: 10_000 })
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

  const knowsAll = async (url: string): Promise<boolean> => {
    const { key } = await seedUser(stack, { credited: 1, granted: 1 })
    const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    const text = await answer.text()
    return Object.keys(SCENARIOS).every((model) => text.includes(`"${model}"`))
  }

  const aUser = (): Promise<Seeded> => seedUser(stack, { credited: 50_000_000, granted: 50_000_000 })

  type Call = {
    readonly format: FormatName
    readonly model: Model
    readonly stream?: boolean
    readonly resetAt?: number
    readonly leavesOnceCalled?: boolean
  }

  /** Asks as a client of this format; reads until the end, or resets the connection at the byte. */
  const ask = async (url: string, user: Seeded, { format: name, model, stream = true, resetAt, leavesOnceCalled }: Call): Promise<Seen> => {
    const format: Format = formats[name]
    const reader = createReader(format, stream)
    const asked = { id: 'x', model, is_stream: stream, wants_usage: false, max_tokens: undefined }
    const seen = { status: 0, bytes: 0, isComplete: false }
    const headers = { ...format.headers(user.key), 'content-type': 'application/json' }
    const call = request(url + format.path(asked), { method: 'POST', agent, headers })
    const before = callsFor(model)
    const leaving =
      leavesOnceCalled === true ? vi.waitUntil(() => callsFor(model) > before, { timeout: 10_000 }).then(() => call.destroy()) : undefined
    try {
      call.end(JSON.stringify(format.body(asked)))
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
      // Reset by us, by upstream or by a relay that died: what was seen until then counts.
    }
    await leaving
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

  it.each(FORMAT_NAMES)('%s: finish, client reset, upstream reset and upstream time-out, all at once', async (format) => {
    const results = await Promise.all(
      CELLS.map(async (cell) => {
        const user = await aUser()
        const seen = await ask(relay().url, user, { format, ...cell })
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

  it('every format: a relay that is killed, with words delivered and before any', async () => {
    const cases = await Promise.all(FORMAT_NAMES.map(async (format) => ({ format, talking: await aUser(), waiting: await aUser() })))
    const silent = vendor.callsOf('silent').length
    const calls = cases.flatMap(({ format, talking, waiting }) => [
      ask(mortal.url, talking, { format, model: 'long' }),
      ask(mortal.url, waiting, { format, model: 'silent-from-the-start' }),
    ])
    await vi.waitFor(() => expect(vendor.callsOf('silent').length).toBe(silent + cases.length))
    // What a request has delivered is recorded from its second second on.
    await expect.poll(recorded, { timeout: 10_000 }).toBe(cases.length)
    await mortal.end('SIGKILL')

    expect((await Promise.all(calls)).some(({ isComplete }) => isComplete)).toBe(false)
    for (const { talking, waiting } of cases) {
      expect(await firstRow(talking, 30_000)).toEqual([{ state: 'estimated', quota: expect.toSatisfy((quota: number) => quota > 0) }])
      expect(await firstRow(waiting, 30_000)).toEqual([{ state: 'released', quota: 0 }])
    }
  })

  it('every format: a relay that stands still in the middle is settled for, and corrects it once', async () => {
    const cases = await Promise.all(FORMAT_NAMES.map(async (format) => ({ format, user: await aUser(), whole: await aUser() })))
    const calls = cases.map(({ format, user }) => ask(sleeper.url, user, { format, model: 'long' }))
    await expect.poll(recorded, { timeout: 10_000 }).toBe(cases.length)

    sleeper.process.kill('SIGSTOP')
    const estimates = await Promise.all(cases.map(({ user }) => firstRow(user, 30_000)))
    sleeper.process.kill('SIGCONT')

    expect((await Promise.all(calls)).every(({ isComplete }) => isComplete)).toBe(true)
    for (const [at, { format, user, whole }] of cases.entries()) {
      expect(estimates[at]).toMatchObject([{ state: 'estimated' }])
      await expect.poll(async () => (await rowsOf(user)).map(({ state }) => state), { timeout: 20_000 }).toEqual(['estimated', 'late'])
      // Estimate and correction together are what upstream reported.
      await ask(relay().url, whole, { format, model: 'all-well' })
      const [settledRow] = await firstRow(whole)
      expect((await rowsOf(user)).reduce((sum, { quota }) => sum + quota, 0)).toBe(settledRow?.quota)
    }
  })

  it('L6: edits of prices, groups and the unit change no charge of an open or a stored request', async () => {
    const user = await aUser()
    const open = ask(relay().url, user, { format: 'openai', model: 'long' })
    await vi.waitFor(() => expect(vendor.open()).toBeGreaterThan(0))
    const edits = { ModelRatio: JSON.stringify({ long: 7 }), GroupRatio: '{"default":3}', QuotaPerUnit: '1000000' }
    for (const [key, value] of Object.entries(edits)) must(await api.put('/api/option/', { key, value }))
    expect((await open).isComplete).toBe(true)
    await firstRow(user)

    const { db } = stack.database
    const rows = await db
      .selectFrom('logs')
      .select(['user_id', 'request_id', 'state', 'quota', 'quote', 'usage'])
      .where('type', '=', 2)
      .execute()
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

  it('leaves nothing that the verifier would object to', async () => {
    const verified = await run(process.execPath, [join(import.meta.dirname, '../services/worker/src/verify-ledger.ts')], {
      env: { ...stack.env },
    })

    expect(verified.stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))).toEqual([])
  })

  /** How many open requests have words on record in Redis, in case their relay dies. */
  const recorded = async (): Promise<number> => {
    const all = await Promise.all(Array.from({ length: Number(stack.env['SHARDS']) }, (_, shard) => redis.hvals(keys.progress(shard))))
    return all.flat().filter((text) => /"completion_tokens":[1-9]/.test(text)).length
  }
})
