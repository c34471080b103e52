import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { isNewer } from './release.ts'

describe('the check for updates', () => {
  let feed: Server
  let answer: { status: number; body: string }
  let calls = 0
  const apps: TestApp[] = []
  beforeAll(async () => {
    feed = createServer((_request, response) => {
      calls += 1
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
    await new Promise<void>((resolve) => void feed.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    feed.close()
    for (const app of apps) await app.stop()
  })

  const rootOf = async (env: Readonly<Record<string, string>>): Promise<Caller> => {
    const app = await createTestApp(env)
    apps.push(app)
    return await app.setUp()
  }
  const feedUrl = (): string => `http://127.0.0.1:${(feed.address() as AddressInfo).port}/latest`

  it('reads the feed of the environment through the address guard, and nothing without one', async () => {
    const off = await rootOf({})
    expect((await off('GET', '/api/status/release')).body).toMatchObject({ message: expect.stringContaining('RELEASE_FEED_URL') })
    answer = { status: 200, body: '{"tag_name":"v9.1.0"}' }
    const guarded = await rootOf({ RELEASE_FEED_URL: feedUrl() })
    expect((await guarded('GET', '/api/status/release')).body).toMatchObject({ success: false, message: '检查更新失败，请稍后再试' })
    expect(calls).toBe(0)
  })

  it('says whether the newest release is newer, and fails with its text on any other answer', async () => {
    const root = await rootOf({ RELEASE_FEED_URL: feedUrl(), UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8' })
    const ask = async () => (await root('GET', '/api/status/release')).body

    answer = { status: 200, body: '{"tag_name":"v9.1.0","html_url":"https://example.org/v9","body":"Faster"}' }
    expect(await ask()).toMatchObject({ data: { version: '9.1.0', url: 'https://example.org/v9', notes: 'Faster', is_newer: true } })
    answer = { status: 200, body: '{"tag_name":"0.0.0-test","html_url":"javascript:alert(1)"}' }
    expect(await ask()).toMatchObject({ data: { version: '0.0.0-test', url: '', is_newer: false } })
    for (const broken of [
      { status: 500, body: '{}' },
      { status: 200, body: 'no json' },
      { status: 200, body: '{"name":"x"}' },
    ]) {
      answer = broken
      expect(await ask()).toMatchObject({ success: false, message: '检查更新失败，请稍后再试' })
    }
  })

  it.each([
    ['1.2.3', '1.2.2', true],
    ['1.10.0', '1.9.9', true],
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '1.2.3-rc.1', true],
    ['1.2.3-rc.10', '1.2.3-rc.9', true],
    ['1.2.3-rc.1', '1.2.3', false],
    ['2', '1.9.9', true],
  ])('%s is newer than %s: %s', (version, running, expected) => expect(isNewer(version, running)).toBe(expected))
})
