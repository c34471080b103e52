import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ROOT_USER } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

/** A new operator's path through the console. */
describe('the first steps in the console', () => {
  let app: ConsoleUnderTest
  let page: Page
  let origin: string

  beforeAll(async () => {
    app = await startConsole({ isSetUp: false })
    origin = app.origin
    page = await app.openVisitor({ language: 'zh' })
  })
  afterAll(async () => {
    await app.stop()
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
    await page.context().clearCookies()
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
    await drawer.getByLabel('接口地址').fill(`${app.vendor.url}/paced~30`)
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

  it('throws no error in the page', () => {
    expect(app.pageErrors).toEqual([])
  })
})
