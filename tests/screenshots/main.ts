import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { createChannel, must, signIn } from '../support/api.ts'
import { readCommandLine } from '../support/command-line.ts'
import { openLook, startBrowser, type Look } from '../support/browser.ts'
import { startFailingVendor, startInstallation, type FailingVendor, type Installation } from './installation.ts'

/** `npm run screenshots`: makes the pictures of README and docs again, from an installation with demo data. */
const FOLDER = join(import.meta.dirname, '../../docs/images')

type Picture = {
  readonly name: string
  readonly path: string
  readonly look: Look
  /** Prepares the page for the picture. */
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
  readCommandLine({
    command: 'npm run screenshots --',
    about: 'Starts a fresh installation with demo data and writes the pictures of README and docs to docs/images. Needs Chromium.',
    example: 'npm run screenshots',
    options: {},
  })
  await mkdir(FOLDER, { recursive: true })
  const installation = await startInstallation()
  const vendor = await startFailingVendor()
  const browser = await startBrowser()
  try {
    await makeRequests(installation, vendor)
    for (const { name, path, look, prepare } of PICTURES) {
      const context = await openLook(browser, look)
      await signInBrowser(context, installation)
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

async function signInBrowser(context: BrowserContext, { origin, demo }: Installation): Promise<void> {
  const { username, password } = demo
  const answer = await context.request.post(`${origin}/api/user/login`, { data: { username, password } })
  const { data } = (await answer.json()) as { data: object }
  await context.addInitScript(`if (window === top) localStorage.setItem('user', ${JSON.stringify(JSON.stringify(data))})`)
  await context.addInitScript(`if (window === top) localStorage.setItem('checklist-hidden', 'true')`)
}

/** Adds two channels that fail and sends requests past them, so that an explanation has attempts to show. */
async function makeRequests({ origin, demo }: Installation, vendor: FailingVendor): Promise<void> {
  const api = await signIn(origin, demo.username, demo.password)
  await createChannel(api, { name: 'east', base_url: vendor.urlOf(503), priority: 20, auto_ban: 0 })
  await createChannel(api, { name: 'west', base_url: vendor.urlOf(429), priority: 10, auto_ban: 0 })
  must(await api.put('/api/option/', { key: 'RetryTimes', value: '3' }))
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
