import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

type Change = {
  readonly section: string
  readonly label: string
  /** Missing: the switch is turned. */
  readonly text?: string
  /** The view of the section that has the field. */
  readonly view?: string
  readonly key: string
  readonly stored: string
}
type OptionRow = { readonly key: string; readonly value: string }

const PASSWORD = 'a-long-password'

/** JSON is stored as it was typed. */
const json = (key: string, text: string) => ({ key, text, stored: text })

/** One option of every section: switches, texts, numbers, markup and JSON. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  operation: [
    { section: 'General', label: 'Retries', text: '3', key: 'RetryTimes', stored: '3' },
    { section: 'Drawing', label: 'Drawing', key: 'DrawingEnabled', stored: 'false' },
    { section: 'Sensitive words', label: 'Check prompts', key: 'CheckSensitiveOnPromptEnabled', stored: 'false' },
    { section: 'Logs', label: 'Listed per token and minute', text: '7', key: 'LogRefusedPerMinute', stored: '7' },
    { section: 'Data dashboard', label: 'Data dashboard', key: 'DataExportEnabled', stored: 'false' },
    { section: 'Retries and connections', label: 'Keep conversations on one channel', key: 'ChannelAffinityEnabled', stored: 'false' },
    { section: 'Quota', label: 'Weekly report', key: 'WeeklyReportEnabled', stored: 'true' },
    { section: 'Monitoring', label: 'Enable recovered channels', key: 'AutomaticEnableChannelEnabled', stored: 'true' },
    {
      section: 'Groups',
      view: 'All settings (JSON)',
      label: 'Special group ratio',
      ...json('GroupGroupRatio', '{"vip":{"default":0.9}}'),
    },
    { section: 'Model prices', label: 'Price steps', ...json('PriceCards', '{"gpt-4o":[{"above":1000,"model_ratio":2}]}') },
    { section: 'Chats', label: 'Chat links', ...json('Chats', '[{"One":"https://c.example/?k={key}"}]') },
    { section: 'For older versions', label: 'Stream cache queue', text: '5', key: 'StreamCacheQueueLength', stored: '5' },
  ],
  ratelimit: [
    { section: 'Model request limits', label: 'Requests in a period', text: '900', key: 'ModelRequestRateLimitCount', stored: '900' },
    { section: 'Shared limits', view: 'JSON', label: 'Shared limits', ...json('RateLimits', '{"group":{"vip":{"rpm":60}}}') },
  ],
  models: [
    { section: 'All models', label: 'Pass requests through', key: 'global.pass_through_request_enabled', stored: 'true' },
    {
      section: 'Gemini',
      label: 'Gemini thinking budget',
      text: '0.5',
      key: 'gemini.thinking_adapter_budget_tokens_percentage',
      stored: '0.5',
    },
    {
      section: 'Claude',
      label: 'Claude thinking budget',
      text: '0.4',
      key: 'claude.thinking_adapter_budget_tokens_percentage',
      stored: '0.4',
    },
  ],
  system: [
    {
      section: 'General (server address)',
      label: 'Server address',
      text: 'https://gw.example.com',
      key: 'ServerAddress',
      stored: 'https://gw.example.com',
    },
    { section: 'Proxy', label: 'Let the proxy use http addresses', key: 'WorkerAllowHttpImageRequestEnabled', stored: 'true' },
    { section: 'Payment', label: 'Price of one dollar', text: '7.1', key: 'Price', stored: '7.1' },
    { section: 'Stripe payment', label: 'Price of one dollar of quota', text: '6.9', key: 'StripeUnitPrice', stored: '6.9' },
    { section: 'Sign-in and registration', label: 'Let new users register', key: 'RegisterEnabled', stored: 'false' },
    { section: 'Allowed email domains', label: 'Refuse email aliases', key: 'EmailAliasRestrictionEnabled', stored: 'true' },
    { section: 'SMTP', label: 'SMTP server', text: 'smtp.example.com', key: 'SMTPServer', stored: 'smtp.example.com' },
    { section: 'OIDC', label: 'Client ID', text: 'oidc-1', key: 'oidc.client_id', stored: 'oidc-1' },
    { section: 'GitHub OAuth app', label: 'GitHub client ID', text: 'gh-1', key: 'GitHubClientId', stored: 'gh-1' },
    { section: 'Linux DO OAuth', label: 'Linux DO client ID', text: 'ld-1', key: 'LinuxDOClientId', stored: 'ld-1' },
    {
      section: 'WeChat server',
      label: 'WeChat server address',
      text: 'https://wx.example.com',
      key: 'WeChatServerAddress',
      stored: 'https://wx.example.com',
    },
    { section: 'Telegram sign-in', label: 'Telegram bot name', text: 'my_bot', key: 'TelegramBotName', stored: 'my_bot' },
    { section: 'Turnstile', label: 'Turnstile site key', text: 'site-1', key: 'TurnstileSiteKey', stored: 'site-1' },
  ],
  other: [
    { section: 'Home page', label: 'Home page content', text: 'Hello', key: 'HomePageContent', stored: 'Hello' },
    { section: 'About', label: 'About', text: 'Who we are', key: 'About', stored: 'Who we are' },
    { section: 'System name', label: 'System name', text: 'Night Desk', key: 'SystemName', stored: 'Night Desk' },
    { section: 'Logo', label: 'Logo address', text: 'https://cdn.example.com/l.png', key: 'Logo', stored: 'https://cdn.example.com/l.png' },
    { section: 'Footer', label: 'Footer', text: '<b>ours</b>', key: 'Footer', stored: '<b>ours</b>' },
    { section: 'Notice', label: 'Notice', text: 'Tonight', key: 'Notice', stored: 'Tonight' },
  ],
}

/** Settings as root changes them, and as others see them. */
describe('settings in a browser', () => {
  let app: ConsoleUnderTest
  let page: Page

  beforeAll(async () => {
    app = await startConsole()
    page = await app.openSignedIn()
  })
  afterAll(() => app.stop())

  const stored = async (key: string): Promise<string | undefined> =>
    must(await app.api.get<readonly OptionRow[]>('/api/option/')).find((row) => row.key === key)?.value

  const fieldOf = (form: Locator, { label, text }: Change): Locator =>
    text === undefined ? form.getByRole('checkbox', { name: label, exact: true }) : form.getByRole('textbox', { name: label, exact: true })

  const openView = async (form: Locator, { view }: Change): Promise<void> => {
    if (view !== undefined) await form.getByRole('tab', { name: view, exact: true }).click()
  }

  const change = async (form: Locator, wanted: Change): Promise<void> => {
    await openView(form, wanted)
    const field = fieldOf(form, wanted)
    if (wanted.text === undefined) return await field.press('Space')
    await field.waitFor()
    // A text box that is not checked for spelling becomes an editor once it is in view, perhaps while it is being scrolled.
    await field.evaluate((element: { scrollIntoView: () => void }) => element.scrollIntoView())
    if (await field.evaluate((element: { tagName: string; spellcheck: boolean }) => element.tagName === 'TEXTAREA' && !element.spellcheck))
      await field.and(page.locator('.cm-content')).waitFor()
    // Editors that load beside it can take its selection away.
    await expect.poll(() => replaceText(field, wanted.text ?? '')).toBe(wanted.text)
  }

  const replaceText = async (field: Locator, text: string): Promise<string> => {
    await field.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
    return await field.evaluate((element: { value?: string; textContent: string }) => element.value ?? element.textContent)
  }

  it('keeps text and focus of a text box that becomes an editor', async () => {
    const editor = Promise.withResolvers<undefined>()
    await page.route(/\/code-mirror-[^/]*\.js$/, async (route) => {
      await editor.promise
      await route.continue()
    })
    await page.goto(`${app.origin}/setting?tab=operation`)
    const field = page.getByRole('form', { name: 'Model prices', exact: true }).getByRole('textbox', { name: 'Price steps', exact: true })
    await field.fill('{"old": 1}')
    editor.resolve(undefined)
    await field.and(page.locator('.cm-content:focus')).waitFor()
    expect(await field.textContent()).toBe('{"old": 1}')
    await page.unroute(/\/code-mirror-[^/]*\.js$/)
  })

  it.each(Object.entries(CHANGES))('keeps one change of every section of the tab %s after a reload', async (tab, changes) => {
    await page.goto(`${app.origin}/setting?tab=${tab}`)
    for (const wanted of changes) {
      const form = page.getByRole('form', { name: wanted.section, exact: true })
      await change(form, wanted)
      await form.getByRole('button', { name: 'Save 1 change' }).click()
      // Long, secret and risky changes are shown first.
      const shown = page.getByRole('alertdialog').getByRole('button', { name: 'Save' })
      const isStored = async () => {
        if (await shown.isVisible()) await shown.click()
        return stored(wanted.key)
      }
      await expect.poll(isStored).toBe(wanted.stored)
    }

    await page.reload()
    for (const wanted of changes) {
      const form = page.getByRole('form', { name: wanted.section, exact: true })
      await openView(form, wanted)
      const field = fieldOf(form, wanted)
      await field.waitFor()
      if (wanted.text === undefined) expect([wanted.label, String(await field.isChecked())]).toEqual([wanted.label, wanted.stored])
      else
        expect(await field.evaluate((element: { value?: string; textContent: string }) => element.value ?? element.textContent)).toBe(
          wanted.text,
        )
    }
  })

  it('shows the new name, footer and notice to a visitor, and registration as closed', async () => {
    const visitor = await app.openVisitor()
    await visitor.goto(app.origin)
    await visitor.getByText('Night Desk').first().waitFor()
    await visitor.locator('b', { hasText: 'ours' }).waitFor()
    await visitor.getByRole('dialog').getByText('Tonight').waitFor()
    const answer = await fetch(`${app.origin}/api/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'late', password: PASSWORD }),
    })
    expect(await answer.json()).toMatchObject({ success: false })
    await visitor.context().close()
  })

  it('shows an administrator one notice instead of empty forms, and forwards a user to the own page', async () => {
    for (const username of ['helper', 'customer']) must(await app.api.post('/api/user/', { username, password: PASSWORD }))
    const { items } = must(await app.api.get<{ items: readonly { id: number; username: string }[] }>('/api/user/?p=1&page_size=20'))
    const helper = items.find(({ username }) => username === 'helper')
    must(await app.api.post('/api/user/manage', { id: helper?.id, action: 'promote' }))

    const admin = await app.openSignedIn({}, { username: 'helper', password: PASSWORD })
    await admin.goto(`${app.origin}/setting`)
    await admin.getByText('Only the super admin can see and change settings').waitFor()
    expect(await admin.getByRole('form').count()).toBe(0)
    const user = await app.openSignedIn({}, { username: 'customer', password: PASSWORD })
    await user.goto(`${app.origin}/setting`)
    await user.waitForURL((url) => url.pathname === '/personal')
  })

  it('throws no error on any of these pages', () => {
    expect(app.pageErrors).toEqual([])
  })
})
