import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChannel, createToken, must } from '../support/api.ts'
import { inspectPage, isSeenIn, LOOKS, measureTransfer, type Look } from '../support/browser.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

/** Every screen: one line each. */
const VISITOR_PATHS = [
  '/login',
  '/register',
  '/reset',
  '/user/reset?email=a@example.com&token=t',
  '/oauth/github?error=access_denied',
  '/pricing',
  '/about',
  '/receipt',
]
const PATHS = [
  '/',
  '/token',
  '/client-setup?client=codex',
  '/log',
  '/midjourney',
  '/task',
  '/detail',
  '/playground',
  '/topup',
  '/pricing?view=cards&input=1000&model=gpt-4o',
  '/personal',
  '/channel',
  '/channel/add',
  '/channel/edit/1',
  '/redemption',
  '/user',
  '/user/add',
  '/user/edit/1',
  '/payment',
  '/organisations',
  '/invoice',
  '/what-if',
  '/delivery',
  '/audit',
  '/health',
  '/setting',
  '/setting/import',
  '/no-such-page',
]

/** Every screen in both languages and themes, wide and narrow, and what holds for all of them. */
describe('the screens of the console', () => {
  let app: ConsoleUnderTest
  let page: Page
  let origin: string

  beforeAll(async () => {
    app = await startConsole()
    origin = app.origin
    await createChannel(app.api, { base_url: `${app.vendor.url}/ok` })
    await createToken(app.api, { name: 'demo' })
    page = await app.openSignedIn({ language: 'zh' })
  })
  afterAll(async () => {
    await app.stop()
  })

  it('sends the sign-in page and the lists in few requests and bytes', async () => {
    const visitor = await app.openVisitor({ language: 'zh' })
    const login = await measureTransfer(visitor, `${origin}/login`)
    await visitor.context().close()
    expect(login.requests).toBeLessThanOrEqual(20)
    // With the typeface of 49 KB, which is fetched once the page is drawn.
    expect(login.bytes).toBeLessThanOrEqual(270_000)

    for (const [path, requests] of [
      ['/channel', 31],
      ['/token', 30],
      ['/user', 31],
      ['/health', 30],
      ['/log', 36],
      ['/midjourney', 30],
      ['/task', 30],
    ] as const) {
      const list = await measureTransfer(page, origin + path)
      expect([path, list.requests <= requests, list.bytes <= 385_000, list]).toEqual([path, true, true, list])
    }
  })

  it('removes scripts from operator content', async () => {
    const footer = '<b id="kept">kept</b><img src=x alt="" onerror="window.pwned=1"><script>window.pwned=1</script>'
    must(await app.api.put('/api/option/', { key: 'Footer', value: footer }))

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

  it.each(LOOKS)(
    'have no serious axe violation and no horizontal scrolling: $language $theme $width',
    async (look: Look) => {
      const findings: string[] = []
      const seen = (paths: readonly string[]): readonly string[] => paths.filter((_, at) => isSeenIn(look, at))
      const inspect = async (tab: Page, paths: readonly string[]): Promise<void> => {
        for (const path of paths) {
          await tab.goto(origin + path)
          findings.push(await inspectPage(tab, path))
        }
        await tab.context().close()
      }
      // Two at a time: a page is mostly waited for.
      const paths = seen(PATHS)
      const middle = Math.ceil(paths.length / 2)
      await Promise.all([
        inspect(await app.openVisitor(look), seen(VISITOR_PATHS)).then(async () =>
          inspect(await app.openSignedIn(look), paths.slice(middle)),
        ),
        inspect(await app.openSignedIn(look), paths.slice(0, middle)),
      ])

      expect(findings.filter((finding) => finding !== '')).toEqual([])
    },
    300_000,
  )

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

  it('throw no error', () => {
    expect(app.pageErrors).toEqual([])
  })
})
