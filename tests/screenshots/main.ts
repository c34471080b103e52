import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { openLook, startBrowser, type Look } from '../support/browser.ts'
import { startFailingVendor, startInstallation, type FailingVendor, type Installation } from './installation.ts'

/** `npm run screenshots`: makes the pictures of README and docs again, from an installation with demo data. */
const FOLDER = join(import.meta.dirname, '../../docs/images')

type Picture = {
  readonly name: string
  readonly path: string
  readonly look: Look
  /** What is done on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

const LIGHT: Look = { language: 'en', theme: 'light', width: 1440 }
const DARK: Look = { language: 'en', theme: 'dark', width: 1440 }

const PICTURES: readonly Picture[] = [
  { name: 'dashboard', path: '/detail', look: LIGHT },
  {
    name: 'request-explanation',
    path: '/log',
    look: LIGHT,
    prepare: async (page) => {
      await page.getByRole('row').nth(1).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'channels', path: '/channel', look: LIGHT },
  {
    name: 'routing-forecast',
    path: '/channel',
    look: DARK,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Maintenance' }).click()
      await page.getByRole('menuitem', { name: 'Where would a request go?' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('button', { name: /^Model/ }).click()
      await page.getByRole('combobox', { expanded: true }).fill('gpt-4o')
      await page.keyboard.press('Enter')
      await drawer.getByRole('button', { name: 'Forecast' }).click()
      await drawer.getByRole('table').waitFor()
    },
  },
  { name: 'prices', path: '/pricing?view=cards', look: { ...LIGHT, language: 'zh' } },
  {
    name: 'token',
    path: '/token?edit=new',
    look: DARK,
    prepare: async (page) => {
      await page.getByLabel(/^Name/).fill('assistant')
      await page.getByRole('combobox', { name: 'Group' }).selectOption('auto')
      await page.getByText('Retry in the next group').first().click()
    },
  },
  { name: 'playground', path: '/playground', look: DARK },
  { name: 'log-on-a-phone', path: '/log', look: { language: 'zh', theme: 'dark', width: 390 } },
]

async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const installation = await startInstallation()
  const vendor = await startFailingVendor()
  const browser = await startBrowser()
  try {
    for (const { name, path, look, prepare } of PICTURES) {
      const context = await openLook(browser, look)
      const user_id = await signIn(context, installation)
      if (name === PICTURES[0]?.name) await makeRequests(context, { installation, vendor, user_id })
      const page = await context.newPage()
      await page.goto(installation.origin + path)
      await page.locator('main').first().waitFor()
      await page.waitForLoadState('networkidle')
      await prepare?.(page)
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled', caret: 'hide' })
      process.stdout.write(`docs/images/${name}.png\n`)
      await context.close()
    }
  } finally {
    await browser.close()
    vendor.stop()
    await installation.stop()
  }
}

/** Returns the id of the user. */
async function signIn(context: BrowserContext, { origin, demo }: Installation): Promise<number> {
  const { username, password } = demo
  const answer = await context.request.post(`${origin}/api/user/login`, { data: { username, password } })
  const { data } = (await answer.json()) as { data: { id: number } }
  await context.addInitScript(`if (window === top) localStorage.setItem('user', ${JSON.stringify(JSON.stringify(data))})`)
  await context.addInitScript(`if (window === top) localStorage.setItem('checklist-hidden', 'true')`)
  return data.id
}

type Preparation = { readonly installation: Installation; readonly vendor: FailingVendor; readonly user_id: number }

/** Adds two channels that fail and sends requests past them, so that an explanation has attempts to show. */
async function makeRequests({ request }: BrowserContext, { installation, vendor, user_id }: Preparation): Promise<void> {
  const { origin, demo } = installation
  const headers = { 'New-Api-User': String(user_id) }
  const must = async (answer: Awaited<ReturnType<typeof request.post>>) => {
    const body = (await answer.json()) as { success: boolean; message: string }
    if (!body.success) throw new Error(body.message)
  }
  for (const [name, status, priority] of [
    ['east', 503, 20],
    ['west', 429, 10],
  ] as const) {
    const channel = {
      type: 1,
      name,
      key: 'k',
      base_url: vendor.urlOf(status),
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default',
      groups: ['default'],
    }
    await must(await request.post(`${origin}/api/channel/`, { headers, data: { ...channel, priority, weight: 0, auto_ban: 0 } }))
  }
  await must(await request.put(`${origin}/api/option/`, { headers, data: { key: 'RetryTimes', value: '3' } }))
  // Relays take changes over within 3 s.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  for (let nth = 0; nth < 3; nth += 1) {
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${demo.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Say hello' }] }),
    })
    await answer.text()
  }
  await new Promise((resolve) => setTimeout(resolve, 3000))
}

await main()
