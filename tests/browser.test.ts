import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { ROOT_USER } from './support/api.ts'
import { buildConsole, LOOKS, measureTransfer, openLook, startBrowser, type Look } from './support/browser.ts'
import { startStack, type Stack } from './support/stack.ts'

/** A new operator's path through the console, and every screen in both languages and themes, wide and narrow. */
describe('the console in a real browser', () => {
  let vendor: VendorServer
  let stack: Stack
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let origin: string
  let removeConsole: () => Promise<void>
  const pageErrors: string[] = []

  beforeAll(async () => {
    vendor = await startVendorServer()
    const built = await buildConsole()
    removeConsole = built.remove
    stack = await startStack({ controlPlaneEnv: { CONSOLE_DIR: built.dir } })
    origin = stack.relays[0]?.url ?? ''
    browser = await startBrowser()
    context = await openLook(browser, { language: 'zh', theme: 'light', width: 1440 })
    page = await context.newPage()
    page.setDefaultTimeout(10_000)
    page.on('pageerror', (error) => pageErrors.push(String(error)))
  })
  afterAll(async () => {
    await browser.close()
    await stack.stop()
    await vendor.stop()
    await removeConsole()
  })

  it('leads a new installation to the setup page, signs root in and shows the checklist', async () => {
    await page.goto(origin)
    await page.waitForURL('**/setup')

    await page.getByLabel('管理员用户名').fill(ROOT_USER.username)
    await page.getByLabel(/^密码/).fill(ROOT_USER.password)
    await page.getByLabel('确认密码').fill(ROOT_USER.password)
    await page.getByRole('button', { name: '初始化系统' }).click()

    await page.getByRole('heading', { name: /^开始使用/ }).waitFor()
    await page.goto(`${origin}/token`)
    await page.getByRole('region', { name: '开始使用' }).getByText('已完成 0/5 步').waitFor()
  })

  it('sends a visitor to the sign-in page, and then to the tokens page', async () => {
    await context.clearCookies()
    await page.evaluate(`localStorage.removeItem('user')`)
    await page.goto(`${origin}/token`)
    await page.waitForURL('**/login**')
    await page.getByLabel('用户名或邮箱').fill(ROOT_USER.username)
    await page.getByLabel(/^密码/).fill(ROOT_USER.password)
    await page.keyboard.press('Enter')

    await page.waitForURL('**/token')
    await page.getByText('令牌仅供本人使用，请勿转交他人。').waitFor()
  })

  it('creates a channel', async () => {
    await page.goto(`${origin}/channel`)
    await page.getByRole('button', { name: '添加渠道' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel(/^名称/).fill('剧本')
    await drawer.getByLabel(/^密钥/).fill('sk-vendor')
    await drawer.getByLabel('接口地址').fill(`${vendor.url}/paced~30`)
    await drawer.getByRole('button', { name: '清空模型' }).click()
    await drawer.getByLabel('自定义模型名称').fill('gpt-4o-mini')
    await drawer.getByRole('button', { name: '加入' }).click()
    await drawer.getByRole('button', { name: '创建', exact: true }).click()

    await page.getByText('渠道创建成功！').waitFor()
    await page.getByRole('cell', { name: '剧本' }).first().waitFor()
  })

  it('creates a token, copies its key and streams a response with it', async () => {
    await page.goto(`${origin}/token`)
    await page.getByRole('button', { name: '新建令牌' }).first().click()
    await page.getByRole('dialog').getByLabel(/^名称/).fill('浏览器')
    await page.getByRole('dialog').getByRole('button', { name: '创建', exact: true }).click()
    await page.getByText('令牌创建成功，请在列表页面点击复制获取令牌！').waitFor()
    await page.getByRole('dialog', { name: '已创建 1 个令牌' }).getByRole('button', { name: '完成' }).click()
    await page
      .getByRole('row', { name: /浏览器/ })
      .getByRole('button', { name: '复制密钥' })
      .click()
    const key = await page.evaluate<string>('navigator.clipboard.readText()')

    expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/)
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    })
    const text = await answer.text()
    expect([answer.status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true])
  })

  it('shows the request in the log and explains what it cost and why', async () => {
    await page.goto(`${origin}/log`)
    const row = page.getByRole('row', { name: /gpt-4o-mini/ })
    // The worker posts about once a second; reload until the row is listed.
    const isThere = async (): Promise<boolean> =>
      await row
        .first()
        .waitFor({ timeout: 1500 })
        .then(
          () => true,
          () => false,
        )
    await vi.waitUntil(async () => (await isThere()) || (await page.reload().then(isThere)), { timeout: 30_000 })
    await row.first().click()

    const drawer = page.getByRole('dialog')
    await drawer.getByText('时间线').first().waitFor()
    const text = await drawer.innerText()
    for (const part of ['gpt-4o-mini', '时间线', '候选渠道', '已选用', '计价', '账目', '预留', '实际扣费', '退回', '请求 ID'])
      expect(text).toContain(part)
  })

  it('keeps the open explanation in the URL, so that it survives a reload', async () => {
    const address = page.url()
    await page.reload()

    await page.getByRole('dialog').getByText('请求说明').first().waitFor()
    expect(page.url()).toBe(address)
  })

  it('sends the sign-in page and the lists in few requests and bytes', async () => {
    const own = await openLook(browser, { language: 'zh', theme: 'light', width: 1440 })
    const tab = await own.newPage()
    const login = await measureTransfer(tab, `${origin}/login`)
    await own.close()
    expect(login.requests).toBeLessThanOrEqual(20)
    expect(login.bytes).toBeLessThanOrEqual(220_000)

    for (const path of ['/channel', '/log']) {
      const list = await measureTransfer(page, origin + path)
      expect([path, list.requests <= 42, list.bytes <= 410_000, list]).toEqual([path, true, true, list])
    }
  })

  it('removes scripts from operator content', async () => {
    const saved = await page.evaluate<{ success: boolean }>(`fetch('/api/option/', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'New-Api-User': String(JSON.parse(localStorage.getItem('user')).id) },
      body: ${JSON.stringify(JSON.stringify({ key: 'Footer', value: '<b id="kept">kept</b><img src=x alt="" onerror="window.pwned=1"><script>window.pwned=1</script>' }))},
    }).then((answer) => answer.json())`)
    expect(saved.success).toBe(true)

    await page.goto(`${origin}/token`)
    await page.locator('#kept').waitFor()
    expect(await page.evaluate<boolean>(`'pwned' in window`)).toBe(false)
  })

  it('opens the command palette by keyboard and navigates to the chosen page', async () => {
    await page.goto(`${origin}/token`)
    await page.getByText('令牌仅供本人使用，请勿转交他人。').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('搜索页面、命令、令牌、渠道、用户、请求 ID…').waitFor()
    await page.keyboard.type('使用日志')
    await page.keyboard.press('Enter')

    await page.waitForURL('**/log**')
  })

  it.each(LOOKS)('has no serious axe violation and no horizontal scrolling: $language $theme $width', async (look: Look) => {
    const own = await openLook(browser, look)
    const cookies = await context.cookies()
    const storage = await page.evaluate<string>(`localStorage.getItem('user') ?? ''`)
    await own.addInitScript(`localStorage.setItem('user', ${JSON.stringify(storage)})`)
    const tab = await own.newPage()
    tab.on('pageerror', (error) => pageErrors.push(String(error)))
    await tab.goto(`${origin}/login`)
    const findings = [await inspect(tab, 'login')]
    await own.addCookies(cookies)
    for (const path of ['/', '/token', '/channel', '/channel/add', '/log', '/no-such-page']) {
      await tab.goto(origin + path)
      findings.push(await inspect(tab, path))
    }
    await own.close()

    expect(findings.filter((finding) => finding !== '')).toEqual([])
  })

  it('opens no model route as a page for a page of another origin, whose scripts may still call it', async () => {
    const attacker = createServer((incoming, reply) => {
      const form = `<form method="post" enctype="text/plain" action="${origin}/v1beta/models/gpt-4o-mini:generateContent?key=k"></form>`
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end(incoming.url === '/' ? `${form}<script>document.forms[0].submit()</script>` : '<p>calm</p>')
    })
    attacker.listen(0, '127.0.0.1')
    await once(attacker, 'listening')
    const { port } = attacker.address() as AddressInfo // a listening TCP server has one
    const tab = await page.context().newPage()

    const refused = tab.waitForResponse((response) => response.url().includes('generateContent'))
    await tab.goto(`http://127.0.0.1:${port}/`)
    const answer = await refused
    await tab.goto(`http://127.0.0.1:${port}/calm`)
    const called = await tab.evaluate<number>(
      `fetch('${origin}/v1/models', { headers: { authorization: 'Bearer k' } }).then(({ status }) => status)`,
    )
    await tab.close()
    attacker.closeAllConnections()
    attacker.close()

    expect([answer.status(), answer.headers()['content-type']]).toEqual([403, 'application/json; charset=utf-8'])
    expect(called).toBe(401)
  })

  it('throws no error in the page', () => {
    expect(pageErrors).toEqual([])
  })
})

/** Serious and critical axe violations and horizontal overflow; empty if there are none. */
async function inspect(page: Page, name: string): Promise<string> {
  await page.locator('main').first().waitFor()
  await page.waitForLoadState('networkidle')
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  const parts = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ') ?? ''}`)
  if (overflow > 0) parts.push(`${overflow} px wider than the window`)
  return parts.length === 0 ? '' : `${name}: ${parts.join('; ')}`
}
