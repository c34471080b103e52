import { LogType } from '@tollgate/contracts/enums'
import { DAY_SECONDS, HOUR_SECONDS } from '@tollgate/contracts/units'
import { toHistogram } from '@tollgate/db/duration-histogram'
import { addUsageHours, type UsageHourRow } from '@tollgate/db/queries/ledger/posting'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { serveApp, type DirectListener, type RunningServer } from '@tollgate/http/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { xml2js } from 'xml-js'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { createStatusPage } from './app.ts'
import type { StatusView } from './view.ts'

const PATHS = ['/status', '/status.json', '/status.rss', '/status.atom', '/status/badge.svg'] as const
const MARKER = 'secret-contract-7'
const INCIDENTS = '/api/status_incident/'

let test: TestApp
let root: Caller
let server: RunningServer
/** The page that the server has at the moment. */
let page: DirectListener
beforeAll(async () => {
  test = await createTestApp({ PUBLIC_URL: 'https://gate.example' })
  root = await test.setUp()
  server = await serveApp({ app: test.app, host: '127.0.0.1', port: 0, direct: (...call) => page(...call) })
})
afterAll(async () => {
  await server.stop(1000)
  await test.stop()
})
beforeEach(async () => {
  for (const table of ['status_incidents', 'usage_hours', 'usage_totals', 'usage_rollup_periods', 'channels', 'options'] as const)
    await test.deps.db.deleteFrom(table).execute()
  await setOption('StatusPageEnabled', 'true')
})

const setOption = async (key: string, value: string): Promise<void> => {
  expect((await root('PUT', '/api/option/', { key, value })).body).toMatchObject({ success: true })
}
/** A page that has kept nothing yet. `later` moves its clock. */
const openPage = () => {
  let ahead = 0
  page = createStatusPage({ ...test.deps, now: () => Date.now() + ahead })
  return {
    get: (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers }),
    later: (ms: number): void => void (ahead += ms),
  }
}
const textOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => (await openPage().get(path, headers)).text()
// The declared answer, whose parts each test checks.
const view = async (): Promise<StatusView> => JSON.parse(await textOf('/status.json')) as StatusView

const NOW = Math.floor(Date.now() / 1000)
const TODAY = NOW - (NOW % DAY_SECONDS)
const THIS_HOUR = NOW - (NOW % HOUR_SECONDS)

const served = (over: Partial<UsageHourRow>): UsageHourRow => ({
  hour: TODAY,
  user_id: 1,
  token_id: 1,
  channel_id: 1,
  model_name: 'gpt-4o',
  group: 'default',
  token_name: 'laptop',
  type: LogType.consume,
  requests: 0,
  quota: 0,
  token_quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time_ms: 0,
  logged_requests: 0,
  logged_quota: 0,
  ...over,
})
const failed = (over: Partial<UsageHourRow>): UsageHourRow => served({ type: LogType.error, ...over })
const add = (rows: readonly UsageHourRow[]): Promise<void> => addUsageHours(test.deps.db, rows)

const open = async (over: object = {}): Promise<number> => {
  const form = { title: 'Slow answers', groups: ['gpt'], is_public: true, state: 'investigating', text: 'We are looking.', ...over }
  const { body } = await root('POST', INCIDENTS, form)
  expect(body).toMatchObject({ success: true })
  return (body.data as { id: number }).id // the declared answer
}

describe('the status page', () => {
  it.each(PATHS)('answers 404 at %s while it is off', async (path) => {
    await setOption('StatusPageEnabled', 'false')

    expect((await openPage().get(path)).status).toBe(404)
  })

  it('is served without a login, at the address of the console, and what is below it is not', async () => {
    openPage()
    const statusOf = async (path: string, method = 'GET'): Promise<number> => (await fetch(`${server.url}${path}`, { method })).status

    expect([await statusOf('/status'), await statusOf('/status?lang=zh', 'HEAD'), await statusOf('/status/badge.svg')]).toEqual([
      200, 200, 200,
    ])
    expect([await statusOf('/api/status'), await statusOf('/api/status-page'), await statusOf('/status', 'DELETE')]).toEqual([
      200, 404, 404,
    ])
  })

  it('shows the share of requests without a fault by day, rounded down, and nothing for a day with few requests', async () => {
    const day = TODAY - 3 * DAY_SECONDS
    await add([
      served({ hour: day, requests: 19_999 }),
      failed({ hour: day, requests: 3, faults: 1 }),
      served({ hour: day + DAY_SECONDS, requests: 9 }),
    ])

    const [group] = (await view()).groups
    expect(group).toMatchObject({ name: 'gpt', availability: 0.9999 })
    expect(group?.days).toHaveLength(90)
    expect(group?.days.slice(-4).map(({ availability }) => availability)).toEqual([0.9999, null, null, null])
  })

  it('counts an answer that broke off once, and a request that no channel could take', async () => {
    await add([served({ requests: 100, faults: 10 }), served({ type: LogType.refused, channel_id: 0, logged_requests: 100, faults: 100 })])

    expect((await view()).groups).toMatchObject([{ availability: 0.45 }])
  })

  it('has no figure for days of which an earlier version counted no faults', async () => {
    await add([served({ requests: 50 })])
    await test.deps.db.updateTable('usage_hours').set({ faults: null }).execute()

    expect((await view()).groups).toMatchObject([{ name: 'gpt', availability: null, state: 'unknown' }])
  })

  it('shows the median time to the first token', async () => {
    await add([served({ requests: 20, first_token: 20n * toHistogram(800) })])

    const [group] = (await view()).groups
    expect(group?.first_token_ms).toBeGreaterThan(600)
    expect(group?.first_token_ms).toBeLessThan(1100)
    expect(await textOf('/status')).toContain(`${((group?.first_token_ms ?? 0) / 1000).toFixed(2)} s`)
  })

  it('shows the same figures when the usage is rolled up', async () => {
    const day = TODAY - 5 * DAY_SECONDS
    await add([
      served({ hour: day, requests: 500, faults: 1, first_token: 500n * toHistogram(300) }),
      served({ hour: day, channel_id: 2, model_name: 'claude-opus-5', requests: 40 }),
      failed({ hour: day + HOUR_SECONDS, requests: 20, faults: 20 }),
    ])
    const before = await view()
    await rollupUsage(test.deps.db, { now: NOW, limit: 10_000, signal: new AbortController().signal })
    expect(await test.deps.db.selectFrom('usage_totals').select('cut').limit(1).execute()).toHaveLength(1)

    expect(await view()).toEqual(before)
    expect(before.groups.map(({ name, availability }) => [name, availability])).toEqual([
      ['claude', 1],
      ['gpt', 0.9596],
    ])
  })

  it.each([
    [0, 'operational'],
    [3, 'degraded'],
    [30, 'outage'],
  ] as const)('says of a group with %i faults in 100 recent requests that it is %s', async (faults, state) => {
    await add([served({ hour: THIS_HOUR, requests: 100 - faults }), failed({ hour: THIS_HOUR, requests: faults, faults })])

    expect(await view()).toMatchObject({ state, groups: [{ state }] })
  })

  it('groups models as the operator says, and leaves out the others', async () => {
    await add([
      served({ requests: 20 }),
      served({ model_name: 'gpt-4o-mini', requests: 20 }),
      served({ model_name: 'qwen-max', requests: 20 }),
    ])
    await setOption('StatusPageGroups', JSON.stringify({ 'Large models': ['gpt-4o'], 'Small models': ['*-mini'] }))

    expect((await view()).groups.map(({ name }) => name)).toEqual(['Large models', 'Small models'])
  })

  it('names makers only where the operator wants it', async () => {
    await add([served({ requests: 20 })])
    expect(await textOf('/status')).not.toContain('OpenAI')
    await setOption('StatusPageShowMakers', 'true')

    expect((await view()).groups).toMatchObject([{ name: 'OpenAI' }])
  })

  it('does not show the name of a model that a client made up', async () => {
    await add([served({ requests: 20 }), failed({ model_name: 'gpt-4o-2024-08-06', requests: 50, faults: 50 })])

    expect((await view()).groups).toMatchObject([{ name: 'gpt', availability: 1 }])
  })
})

describe('what is internal', () => {
  it.each(PATHS)('is never in %s', async (path) => {
    await test.deps.db
      .insertInto('channels')
      .values({
        id: 1,
        name: MARKER,
        key_sealed: '',
        key_hash: '',
        group: MARKER,
        tag: MARKER,
        base_url: `https://${MARKER}`,
        created_time: 1,
      })
      .execute()
    await add([
      served({ requests: 20, group: MARKER, token_name: MARKER }),
      failed({ requests: 20, faults: 20, group: MARKER, token_name: MARKER }),
      served({ model_name: `${MARKER}-model`, requests: 30 }),
    ])
    await open()
    await open({ title: `Draft ${MARKER}`, is_public: false })
    await test.deps.db
      .updateTable('status_incidents')
      .set({ cause: `Channel ${MARKER} was disabled`, channel_id: 1 })
      .execute()

    const answer = await openPage().get(path)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(MARKER)
  })
})

describe('an incident', () => {
  it('without groups is one of the whole service, also before any request', async () => {
    await open({ groups: [] })
    expect(await view()).toMatchObject({ state: 'degraded', groups: [] })

    await add([served({ hour: THIS_HOUR, requests: 50 })])
    expect(await view()).toMatchObject({ state: 'degraded', groups: [{ name: 'gpt', state: 'degraded' }] })
  })

  it('is a draft, then public, then updated and resolved, in the page and in both feeds', async () => {
    const id = await open({ is_public: false })
    expect((await view()).incidents).toEqual([])

    await root('PUT', `${INCIDENTS}${id}`, { title: 'Slow answers of GPT', groups: ['gpt'], is_public: true })
    await add([served({ hour: THIS_HOUR, requests: 50 })])
    expect(await view()).toMatchObject({
      state: 'degraded',
      groups: [{ name: 'gpt', state: 'degraded' }],
      incidents: [{ id, title: 'Slow answers of GPT', state: 'investigating', resolved_at: null, updates: [{ text: 'We are looking.' }] }],
    })

    await root('POST', `${INCIDENTS}${id}/updates`, { state: 'resolved', text: 'A vendor was slow.\n<b>It is over.</b>' })
    const shown = await view()
    expect(shown).toMatchObject({
      state: 'operational',
      incidents: [{ state: 'resolved', updates: [{ state: 'resolved' }, { state: 'investigating' }] }],
    })
    expect(shown.incidents[0]?.resolved_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const page = await textOf('/status')
    expect(page).toContain('A vendor was slow.\n&lt;b&gt;It is over.&lt;/b&gt;')
    for (const path of ['/status.rss', '/status.atom']) {
      const feed = JSON.stringify(xml2js(await textOf(path)))
      expect(feed).toContain('Slow answers of GPT (Resolved)')
      expect(feed).toContain(`https://gate.example/status#incident-${id}`)
      expect(feed).toContain('&lt;b&gt;It is over.')
    }
  })

  it('has its title and lines in both feeds as they were written', async () => {
    await open({ title: 'No <think> & "more"', text: 'First line\nSecond <b>line</b>' })
    const [rss, atom] = [await textOf('/status.rss'), await textOf('/status.atom')]

    // RSS has the text itself; an Atom title of the type "html" is HTML: https://www.rfc-editor.org/rfc/rfc4287#section-3.1.1.2
    expect(rss).toContain('<title><![CDATA[No <think> & "more" (Investigating)]]></title>')
    expect(atom).toContain('<title type="html"><![CDATA[No &lt;think&gt; &amp; &quot;more&quot; (Investigating)]]></title>')
    for (const feed of [rss, atom]) expect(feed).toContain('First line<br>Second &lt;b&gt;line&lt;/b&gt;')
  })

  it('is listed for administrators with its updates, and every change of it is in the audit log', async () => {
    await test.deps.db.deleteFrom('audit_entries').execute()
    const id = await open()
    await root('POST', `${INCIDENTS}${id}/updates`, { state: 'monitoring', text: 'Better.' })
    expect((await root('GET', INCIDENTS)).body.data).toMatchObject({
      is_on: true,
      incidents: [{ id, state: 'monitoring', updates: [{ text: 'Better.' }, { text: 'We are looking.' }] }],
    })

    await root('DELETE', `${INCIDENTS}${id}`)
    expect((await root('DELETE', `${INCIDENTS}${id}`)).body.success).toBe(false)
    const entries = await test.deps.db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    expect(entries.map(({ action, resource, resource_id }) => [action, resource, resource_id])).toEqual(
      ['create', 'update', 'delete'].map((action) => [action, 'status-incident', String(id)]),
    )
  })
})

describe('the answers', () => {
  it('are in the language that the address or the browser asks for', async () => {
    const page = openPage()
    const titleOf = async (path: string, language?: string) =>
      /<title>(.*)<\/title>/.exec(await (await page.get(path, language === undefined ? {} : { 'accept-language': language })).text())?.[1]

    expect(await titleOf('/status')).toBe('Tollgate status')
    expect(await titleOf('/status', 'zh-CN,zh;q=0.9')).toBe('Tollgate 服务状态')
    expect(await titleOf('/status?lang=en', 'zh-CN')).toBe('Tollgate status')
  })

  it.each(PATHS)('at %s are 304 for a reader who has them, and compressed for one who can read that', async (path) => {
    const page = openPage()
    const first = await page.get(path)
    const etag = first.headers.get('etag') ?? ''

    expect(first.headers.get('cache-control')).toBe('public, max-age=15')
    expect((await page.get(path, { 'if-none-match': `"other", ${etag}` })).status).toBe(304)
    const gzipped = await page.get(path, { 'accept-encoding': 'br, gzip' })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(await gzipped.text()).toBe(await first.text())
  })

  it('have a badge of all groups, of one group, and of no other', async () => {
    await add([served({ hour: THIS_HOUR, requests: 50 })])
    const page = openPage()

    expect(await (await page.get('/status/badge.svg')).text()).toContain('aria-label="status: Operational"')
    expect(await (await page.get('/status/badge.svg?group=gpt')).text()).toContain('aria-label="gpt: Operational · 100%"')
    expect((await page.get('/status/badge.svg?group=none')).status).toBe(404)
  })

  it('name the group of unknown models in their badge as the page does', async () => {
    await add([served({ hour: THIS_HOUR, model_name: 'house-model', requests: 50 })])

    expect(await textOf('/status/badge.svg?group=other')).toContain('aria-label="Other models: Operational · 100%"')
    expect(await textOf('/status/badge.svg?group=other&lang=zh')).toContain('aria-label="其他模型: 正常 · 100%"')
  })
})

describe('a flood', () => {
  /** The connections of the page, counting its reads. */
  const countReads = () => {
    let reads = 0
    const counted = new Proxy(test.deps.reads, {
      get: (db, name) => {
        if (name === 'transaction') reads += 1
        const value: unknown = Reflect.get(db, name)
        return typeof value === 'function' ? value.bind(db) : value
      },
    })
    let ahead = 0
    page = createStatusPage({ ...test.deps, reads: counted, now: () => Date.now() + ahead })
    const flood = () =>
      Promise.all(Array.from({ length: 500 }, async (_, nth) => (await fetch(`${server.url}${PATHS[nth % PATHS.length]}`)).status))
    return { flood, later: (ms: number): void => void (ahead += ms), reads: (): number => reads }
  }

  it('of 500 calls reads once, and once more when what was read is old', async () => {
    const { flood, later, reads } = countReads()

    expect(new Set(await flood())).toEqual(new Set([200]))
    expect(reads()).toBe(1)
    later(16_000)
    expect(new Set(await flood())).toEqual(new Set([200]))
    expect(reads()).toBe(2)
  })

  it('reads once while the page is off, too', async () => {
    await setOption('StatusPageEnabled', 'false')
    const { flood, reads } = countReads()

    expect(new Set(await flood())).toEqual(new Set([404]))
    expect(reads()).toBe(1)
  })
})
