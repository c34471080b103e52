import { optionKeys, optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

/** Every field that existing consoles store or read. Options with `publicAs` add fields. */
const FIELDS = `version start_time email_verification github_oauth github_client_id linuxdo_oauth linuxdo_client_id telegram_oauth
telegram_bot_name system_name logo footer_html wechat_qrcode wechat_login server_address price min_topup turnstile_check turnstile_site_key
top_up_link docs_link quota_per_unit display_in_currency enable_batch_update enable_drawing enable_task enable_data_export
data_export_default_time default_collapse_sidebar enable_online_topup mj_notify_enabled chats demo_site_enabled self_use_mode_enabled
oidc_enabled oidc_client_id oidc_authorization_endpoint setup`.split(/\s+/)
const optionFields = optionKeys.map((key) => optionOf(key).publicAs).filter((name) => name !== undefined)

describe('site status', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())
  const status = async (): Promise<Record<string, unknown>> => (await test.guest('GET', '/api/status')).body.data as Record<string, unknown> // an object, as the next test sees
  const put = (key: string, value: string): Promise<unknown> => root('PUT', '/api/option/', { key, value })

  it('has exactly the known fields, with real booleans and the defaults', async () => {
    const shown = await status()

    expect(Object.keys(shown).toSorted()).toEqual([...new Set([...FIELDS, ...optionFields])].toSorted())
    expect(shown).toMatchObject({
      system_name: 'Tollgate',
      docs_link: '',
      logo: '',
      quota_per_unit: 500_000,
      price: 7.3,
      min_topup: 1,
      display_in_currency: true,
      enable_drawing: true,
      enable_task: true,
      enable_data_export: true,
      enable_online_topup: false,
      data_export_default_time: 'hour',
      setup: true,
    })
    expect(shown['chats']).toHaveLength(5)
    expect(Object.keys(shown).filter((name) => name.startsWith('enable_') && typeof shown[name] !== 'boolean')).toEqual([])
  })

  it('offers online top-up only when address, id and key are set, and publishes none of them', async () => {
    await put('PayAddress', 'https://pay.example/')
    await put('EpayId', '77')
    expect((await status())['enable_online_topup']).toBe(false)
    await put('EpayKey', 'merchant-secret')

    const shown = await status()
    expect(shown['enable_online_topup']).toBe(true)
    expect(JSON.stringify(shown)).not.toMatch(/merchant-secret|pay\.example/)
  })

  it.each<[OptionKey, string, unknown]>([
    ['SystemName', 'My gateway', 'My gateway'],
    ['Logo', 'https://example.org/logo.png', 'https://example.org/logo.png'],
    ['TopUpLink', 'https://example.org/pay/', 'https://example.org/pay/'],
    ['ImageHosts', ' cdn.example.com, *.example.com', ['cdn.example.com', '*.example.com']],
    ['DemoSiteEnabled', 'true', true],
    ['DrawingEnabled', 'false', false],
    ['TaskEnabled', 'false', false],
  ])('publishes %s at once', async (key, value, shown) => {
    const name = optionOf(key).publicAs ?? ''
    expect((await status())[name]).not.toEqual(shown)
    await put(key, value)
    expect((await status())[name]).toEqual(shown)
  })

  it('serves notice, about and home page as texts', async () => {
    await put('Notice', '# hi')
    await put('About', 'https://about.example')
    await put('HomePageContent', '<b>home</b>')
    const texts = await Promise.all(['/api/notice', '/api/about', '/api/home_page_content'].map((path) => test.guest('GET', path)))
    expect(texts.map(({ body }) => body)).toEqual(
      ['# hi', 'https://about.example', '<b>home</b>'].map((data) => ({ success: true, message: '', data })),
    )
  })

  it('tests the database for administrators', async () => {
    expect((await root('GET', '/api/status/test')).body).toEqual({ success: true, message: 'Server is running' })
  })
})

describe('the stores that do not answer', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    await test.setUp()
  })
  afterAll(() => test.stop())

  it('are none, and within two seconds the one that hangs', async () => {
    expect((await test.guest('GET', '/api/status/stores')).body.data).toEqual([])
    await vi.waitFor(async () => {
      const since = Date.now()
      const answer = await test.whileRedisHangs(() => test.guest('GET', '/api/status/stores'))
      expect(answer.body.data).toEqual(['redis'])
      expect(Date.now() - since).toBeLessThan(2500)
    }, 10_000)
  })
})
