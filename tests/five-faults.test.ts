import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { withFacts } from '@tollgate/db/logged-event'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

/** Each channel's vendor, by the channel's name. The good one answers a single request with 500. */
const VENDORS = {
  'half 500': 'flaky',
  'rate-limited': 'limited~3',
  hanging: 'silent',
  'cutting streams': 'cut-mid-stream',
  'revoked key': 'bad-key',
  good: 'one-500~200',
} as const
type Name = keyof typeof VENDORS
const BAD = ['half 500', 'hanging', 'cutting streams', 'revoked key'] as const satisfies readonly Name[]

const OPTIONS = {
  ModelPrice: JSON.stringify(
    Object.fromEntries(['drill', ...Object.keys(VENDORS).map((_, at) => `only-${at}`)].map((model) => [model, 0.0001])),
  ),
  RetryTimes: '4',
  AutomaticDisableChannelEnabled: 'true',
}
const RATE = 30
const SECONDS = 22
const OUT_AFTER_MS = 10_000
const RATE_LIMITED_MS = 3000
/** The first requests discover the faults and are excluded. */
const DISCOVERY_REQUESTS = 50

type Sent = { readonly id: string; readonly at: number; readonly isWell: boolean; readonly status: number; readonly is_stream: boolean }
type Row = { readonly at: number; readonly explanation: StoredExplanation | null }

describe('five faulty channels and one good one', () => {
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let user: Seeded
  let sent: Sent[] = []
  let rows: Row[] = []
  let startedAt = 0

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack({ relays: 2, relayEnv: { FIRST_BYTE_TIMEOUT: '1', STREAMING_TIMEOUT: '2' } })
    api = await setUp(stack.controlPlane.url)
    for (const [key, value] of Object.entries(OPTIONS)) must(await api.put('/api/option/', { key, value }))
    for (const [at, [name, scenario]] of Object.entries(VENDORS).entries())
      await createChannel(api, { name, base_url: `${vendor.url}/${scenario}`, models: `drill,only-${at}`, key: `sk-${scenario}` })
    user = await seedUser(stack, { credited: 50_000_000, granted: 50_000_000 })
    for (const { url } of stack.relays) await vi.waitUntil(() => hasAllChannels(url), { timeout: 10_000 })
    startedAt = Date.now()
    sent = await sendAll()
    rows = await vi.waitFor(
      async () => {
        const found = await readRows()
        expect(found.length).toBe(sent.filter(({ id }) => id !== '').length)
        return found
      },
      { timeout: 20_000, interval: 200 },
    )
    report()
  })
  afterAll(async () => {
    await stack.stop()
    await vendor.stop()
  })

  /** Each channel also serves a model of its own: a relay that lists all of them has all channels. */
  const hasAllChannels = async (url: string): Promise<boolean> => {
    const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${user.key}` } })
    const text = await answer.text()
    return Object.keys(VENDORS).every((_, at) => text.includes(`"only-${at}"`))
  }

  /** Open loop: requests are sent at fixed times, independent of earlier responses. */
  const sendAll = (): Promise<Sent[]> =>
    Promise.all(
      Array.from({ length: RATE * SECONDS }, async (_, number) => {
        await new Promise((resolve) => setTimeout(resolve, (number * 1000) / RATE))
        return await sendRequest(number)
      }),
    )

  const sendRequest = async (number: number): Promise<Sent> => {
    const at = Date.now() - startedAt
    const is_stream = number % 3 !== 0
    const relay = stack.relays[number % stack.relays.length]
    let id = ''
    try {
      const answer = await fetch(`${relay?.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'drill', stream: is_stream, messages: [{ role: 'user', content: `request ${number}` }] }),
      })
      id = answer.headers.get('x-oneapi-request-id') ?? ''
      const text = await answer.text()
      const isWhole = is_stream ? text.includes('data: [DONE]') && !text.includes('"error"') : text.includes('"choices"')
      return { id, at, is_stream, status: answer.status, isWell: answer.status === 200 && isWhole }
    } catch {
      // A broken connection is a failure for the client.
      return { id, at, is_stream, status: 0, isWell: false }
    }
  }

  const readRows = async (): Promise<Row[]> => {
    const found = await stack.database.db.selectFrom('logs').selectAll().where('user_id', '=', user.userId).orderBy('id').execute()
    const times = new Map(sent.map(({ id, at }) => [id, at]))
    // On a machine that stands still for seconds, a row may be corrected by a second one.
    const first = new Map(found.toReversed().map((row) => [row.request_id, withFacts(row)]))
    return [...first.values()]
      .flatMap(({ request_id, explanation }) => {
        const at = times.get(request_id)
        return at === undefined ? [] : [{ at, explanation }]
      })
      .toSorted((left, right) => left.at - right.at)
  }

  /** Start of each attempt on a channel, in ms since the first request. */
  const attemptsOn = (name: Name): number[] =>
    rows
      .flatMap(({ at, explanation }) =>
        (explanation?.attempts ?? []).filter((attempt) => attempt.channel_name === name).map(({ started_ms }) => at + started_ms),
      )
      .toSorted((a, b) => a - b)
  const answersOf = (name: Name): number[] => rows.filter(isAnsweredBy(name)).map(({ at }) => at)
  const isAnsweredBy =
    (name: Name) =>
    ({ explanation }: Row): boolean =>
      explanation?.attempts.some(({ channel_name, outcome }) => channel_name === name && outcome === 'answered') === true
  const failuresAfterFirst = (): Sent[] => sent.slice(DISCOVERY_REQUESTS).filter(({ isWell }) => !isWell)

  const report = (): void => {
    const afterTenSeconds = (times: readonly number[]) => times.filter((at) => at > OUT_AFTER_MS).length
    const lines = [
      `${sent.length} requests at ${RATE} a second; ${sent.filter(({ isWell }) => !isWell).length} failed for the client, ` +
        `${failuresAfterFirst().length} after the first ${DISCOVERY_REQUESTS} (${((100 * failuresAfterFirst().length) / (sent.length - DISCOVERY_REQUESTS)).toFixed(2)} %)`,
      ...(['half 500', 'rate-limited', 'hanging', 'cutting streams', 'revoked key', 'good'] as const).map((name) => {
        const times = attemptsOn(name)
        return `${name.padEnd(16)} ${String(times.length).padStart(4)} attempts, ${String(afterTenSeconds(times)).padStart(4)} after 10 s`
      }),
      `rate-limited: first attempt at ${attemptsOn('rate-limited')[0]} ms, first answer at ${answersOf('rate-limited')[0]} ms`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  }

  it('fail less than 1 % of the clients’ requests once they are discovered', () => {
    expect(failuresAfterFirst().length / (sent.length - DISCOVERY_REQUESTS)).toBeLessThan(0.01)
  })

  it.each(BAD)('%s: gets only probes after ten seconds', (name) => {
    const times = attemptsOn(name)

    expect(times.length).toBeGreaterThan(0)
    // A channel in service would get a sixth of the requests, about sixty.
    expect(times.filter((at) => at > OUT_AFTER_MS).length).toBeLessThanOrEqual(8)
  })

  it('pauses the rate-limited channel for its Retry-After and uses it again after one probe', () => {
    const [first = 0, ...others] = attemptsOn('rate-limited')
    const [back = Number.POSITIVE_INFINITY] = answersOf('rate-limited')

    expect(back - first).toBeLessThan(RATE_LIMITED_MS + 2000)
    // Requests that relays had sent before they learnt of the pause.
    const early = others.filter((at) => at < first + RATE_LIMITED_MS)
    expect(early.length).toBeLessThanOrEqual(8)
    expect(answersOf('rate-limited').length).toBeGreaterThan(RATE)
  })

  it('disables only the channel with the revoked key and stores the evidence', async () => {
    const channels = must(await api.get<{ name: string; status: number; other_info: string }[]>('/api/channel/?p=0&page_size=20'))

    expect(Object.fromEntries(channels.map(({ name, status }) => [name, status]))).toEqual({
      'half 500': 1,
      'rate-limited': 1,
      hanging: 1,
      'cutting streams': 1,
      'revoked key': 3,
      good: 1,
    })
    const evidence: unknown = JSON.parse(channels.find(({ name }) => name === 'revoked key')?.other_info ?? '')
    expect(evidence).toMatchObject({ status: 401, code: 'invalid_api_key', status_reason: expect.stringContaining('Incorrect API key') })
  })

  it('ignores a single 500', () => {
    const results = rows.flatMap(({ explanation }) => explanation?.candidates.filter(({ channel_name }) => channel_name === 'good') ?? [])
    const failed = rows.flatMap(
      ({ explanation }) => explanation?.attempts.filter(({ channel_name, status }) => channel_name === 'good' && status === 500) ?? [],
    )

    expect(failed).toHaveLength(1)
    expect(results.filter(({ result }) => result === 'breaker-open' || result === 'half-open' || result === 'cooling')).toEqual([])
  })

  it('every log row lists the attempts and why each other channel was not used', () => {
    const unclear = rows.filter(({ explanation }) => {
      if (explanation === null || explanation.attempts.length === 0) return true
      const isExplained = explanation.attempts.every(({ outcome, retry, status, code, message }) =>
        outcome === 'answered' ? true : retry !== undefined && (status ?? code ?? message) !== undefined,
      )
      return !isExplained || explanation.candidates.length + explanation.candidates_cut !== Object.keys(VENDORS).length
    })

    expect(unclear.map(({ explanation }) => [explanation?.attempts, explanation?.candidates, explanation?.candidates_cut])).toEqual([])
    const reasons = new Set(rows.flatMap(({ explanation }) => explanation?.candidates.map(({ result }) => result) ?? []))
    expect([...reasons]).toEqual(expect.arrayContaining(['chosen', 'not-drawn', 'breaker-open', 'cooling', 'auto-disabled']))
  })
})
