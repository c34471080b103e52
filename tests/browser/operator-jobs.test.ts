import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayTables, writeGatewayFile } from '@tollgate/testing/gateway-database'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChannel, createToken, must, ROOT_USER } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

const PRICED = 'gpt-4o-mini'
const NEW_MODEL = 'house-model-1'

/** Operators' most frequent jobs, each from the dashboard on, and in how many clicks. Typing is not counted. */
describe('an operator', () => {
  let app: ConsoleUnderTest
  let page: Page
  let clicks = 0
  const done = new Map<string, number>()
  beforeAll(async () => {
    app = await startConsole()
    page = await app.openSignedIn()
  })
  afterAll(async () => {
    process.stdout.write(`clicks of an operator's jobs:\n${[...done].map(([job, count]) => `  ${count}  ${job}\n`).join('')}`)
    await app.stop()
  })

  const start = async (): Promise<void> => {
    clicks = 0
    await page.goto(`${app.origin}/detail`)
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  }
  const click = async (target: Locator): Promise<void> => {
    clicks += 1
    await target.click()
  }
  const goTo = (name: string) => click(page.getByRole('navigation', { name: 'Side navigation' }).getByRole('link', { name, exact: true }))
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: typeof name === 'string' })
  const drawer = (): Locator => page.getByRole('dialog')
  const rowOf = (text: string): Locator => page.getByRole('row').filter({ hasText: text })
  const said = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()
  /** The dashboard's figures; its sums come later than the log. */
  const todaysQuota = async (): Promise<number> => {
    const end = Math.floor(Date.now() / 1000)
    const query = `start_timestamp=${end - 86_400}&end_timestamp=${end}&by=model&unit=day&rank=quota&timezone=0&username=`
    const { points } = must(await app.api.get<{ points: { quota: number }[] }>(`/api/data/series?${query}`))
    return points.reduce((sum, { quota }) => sum + quota, 0)
  }
  const finish = (job: string, most: number): void => {
    done.set(job, clicks)
    expect([job, clicks]).toEqual([job, most])
  }

  it('adds a channel', async () => {
    await start()
    await goTo('Channels')
    await click(button('Add channel').first())
    await drawer().getByLabel(/^Name/).fill('first vendor')
    await drawer().getByLabel(/^Key/).fill('sk-vendor')
    await drawer().getByLabel('Base URL').fill(`${app.vendor.url}/ok`)
    await click(drawer().getByRole('button', { name: 'Create', exact: true }))

    await rowOf('first vendor').first().waitFor()
    finish('add a channel', 3)
  })

  it('tests it', async () => {
    await start()
    await goTo('Channels')
    await click(rowOf('first vendor').getByRole('button', { name: 'Test', exact: true }))

    await said(/first vendor.*passed|Test passed/i)
    finish('test a channel', 2)
  })

  it('sets the price of a model that has none', async () => {
    await createChannel(app.api, { name: 'own models', base_url: `${app.vendor.url}/ok`, models: NEW_MODEL })
    await start()
    await goTo('Channels')
    await click(rowOf('own models').getByRole('button', { name: 'Edit', exact: true }))
    await click(drawer().getByRole('button', { name: 'Set prices here' }))
    await drawer().getByLabel('Input per 1M tokens').fill('0.5')
    await drawer().getByLabel('Output per 1M tokens').fill('1.5')
    await click(drawer().getByRole('button', { name: 'Save price' }))

    await said(`Price of ${NEW_MODEL} saved`)
    finish('set the price of a model', 4)
  })

  it('makes a user and gives quota', async () => {
    await start()
    await goTo('Users')
    await click(button('Add user').first())
    await drawer()
      .getByLabel(/^Username/)
      .fill('lin')
    await drawer()
      .getByLabel(/^Password/)
      .fill('a-long-password')
    await click(drawer().getByRole('button', { name: 'Create', exact: true }))
    await click(rowOf('lin').getByRole('button', { name: 'Adjust quota' }))
    await drawer().getByRole('textbox', { name: 'Quota to add', exact: true }).fill('5000000')
    await drawer().getByLabel('Reason').fill('first month')
    await click(drawer().getByRole('button', { name: 'Save', exact: true }))

    await rowOf('lin').filter({ hasText: '$10.00' }).first().waitFor()
    finish('make a user and give quota', 5)
  })

  it('makes a token', async () => {
    await start()
    await goTo('API tokens')
    await click(button('New token').first())
    await drawer().getByLabel(/^Name/).fill('app')
    await click(drawer().getByRole('button', { name: 'Create', exact: true }))

    await page.getByRole('dialog', { name: 'Token “app” created' }).waitFor()
    finish('make a token', 3)
  })

  it('finds why a request failed', async () => {
    await createChannel(app.api, { name: 'broken vendor', base_url: `${app.vendor.url}/status~418`, models: 'broken', priority: 9 })
    must(await app.api.put('/api/option/', { key: 'ModelPrice', value: '{"broken":0.01}' }))
    const { key } = await createToken(app.api, { unlimited_quota: true })
    const body = JSON.stringify({ model: 'broken', messages: [{ role: 'user', content: 'Hi' }] })
    const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}` }
    await expect
      .poll(async () => (await fetch(`${app.origin}/v1/chat/completions`, { method: 'POST', headers, body })).status)
      .not.toBe(403)
    await expect.poll(async () => must(await app.api.get<{ total: number }>('/api/log/?p=1&type=5')).total).toBeGreaterThan(0)
    await start()
    await goTo('Usage log')
    await click(button(/^Failed/))
    await click(rowOf('broken').first())

    await drawer().getByText('broken vendor').first().waitFor()
    expect(await drawer().innerText()).toContain('418')
    finish('find why a request failed', 3)
  })

  it('refunds a user', async () => {
    await start()
    await goTo('Users')
    await click(rowOf('lin').getByRole('button', { name: 'Adjust quota' }))
    await drawer().getByRole('textbox', { name: 'Quota to add', exact: true }).fill('500000')
    await drawer().getByLabel('Reason').fill('broken vendor')
    await click(drawer().getByRole('button', { name: 'Save', exact: true }))

    await rowOf('lin').filter({ hasText: '$11.00' }).first().waitFor()
    finish('refund a user', 3)
  })

  it('disables a channel', async () => {
    await start()
    await goTo('Channels')
    await click(rowOf('broken vendor').getByRole('button', { name: 'More actions' }))
    await click(page.getByRole('menuitem', { name: 'Disable' }))

    await rowOf('broken vendor').getByText('Disabled', { exact: true }).first().waitFor()
    finish('disable a channel', 3)
  })

  it('changes the ratio of a group', async () => {
    await start()
    await goTo('Settings')
    const form = page.getByRole('form', { name: 'Groups', exact: true })
    await form.getByRole('textbox', { name: 'Ratio', exact: true }).first().fill('0.9')
    await click(form.getByRole('button', { name: 'Save 1 change' }))
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Save' }))

    const ratios = async () => {
      const rows = must(await app.api.get<{ key: string; value: string }[]>('/api/option/'))
      return JSON.parse(rows.find(({ key }) => key === 'GroupRatio')?.value ?? '{}') as Record<string, number> // the option's declared shape
    }
    await expect.poll(async () => Object.values(await ratios())).toContain(0.9)
    finish('change the ratio of a group', 3)
  })

  it('reads today’s revenue', async () => {
    const { key } = await createToken(app.api, { unlimited_quota: true })
    const body = JSON.stringify({ model: PRICED, messages: [{ role: 'user', content: 'Hi' }] })
    const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}` }
    expect((await fetch(`${app.origin}/v1/chat/completions`, { method: 'POST', headers, body })).status).toBe(200)
    await expect.poll(todaysQuota, { timeout: 20_000 }).toBeGreaterThan(0)
    await start()
    clicks += 1
    await page.getByLabel('Time range').selectOption({ label: 'Today' })

    await page
      .getByText(/^\$0\.0/)
      .first()
      .waitFor()
    const bar = page.locator('.recharts-bar-rectangle path').first()
    await bar.waitFor()
    // A colour that CSS does not know is drawn black.
    expect(await bar.evaluate('(element) => getComputedStyle(element).fill')).not.toBe('rgb(0, 0, 0)')
    finish('read today’s revenue', 1)
  })

  it('caps what a token may spend', async () => {
    const { id, key } = await createToken(app.api, { name: 'capped', unlimited_quota: true })
    const send = async (): Promise<number> => {
      const body = JSON.stringify({ model: PRICED, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] })
      const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}` }
      return (await fetch(`${app.origin}/v1/chat/completions`, { method: 'POST', headers, body })).status
    }
    const question = page.getByRole('dialog', { name: /^(Add|Edit) budget$/ })
    await start()
    await goTo('API tokens')
    await click(rowOf('capped').getByRole('button', { name: 'Edit', exact: true }))
    await click(drawer().getByRole('button', { name: 'Add budget' }))
    await question.getByRole('textbox', { name: 'Amount', exact: true }).fill('1')
    await click(question.getByRole('button', { name: 'Save', exact: true }))
    await drawer().getByText('Monthly budget').first().waitFor()
    finish('cap a token', 4)

    expect(await send()).toBe(403)
    await expect
      .poll(async () => must(await app.api.get<{ total: number }>('/api/log/?p=1&type=20')).total, { timeout: 15_000 })
      .toBeGreaterThan(0)
    await page.goto(`${app.origin}/log`)
    await rowOf('budget of this token is too small').first().waitFor()
    await page.goto(`${app.origin}/token?edit=${id}`)
    await drawer().getByRole('button', { name: 'Edit Monthly budget' }).click()
    await question.getByRole('textbox', { name: 'Amount', exact: true }).fill('500000')
    await question.getByRole('button', { name: 'Save', exact: true }).click()
    await said('Budget saved; it counts at once')
    expect(await send()).toBe(200)
  })

  it('tries a change on recorded requests, and applies it', async () => {
    const result = (name: string): Locator => page.getByText(name)
    await createChannel(app.api, { name: 'second vendor', base_url: `${app.vendor.url}/ok`, models: PRICED, weight: 0, priority: -1 })
    await start()
    await goTo('Channels')
    await click(button('Maintenance'))
    await click(page.getByRole('menuitem', { name: 'What-if' }))
    await click(button('Run'))
    await result('requests are as recorded').waitFor({ timeout: 20_000 })
    clicks += 1
    await page.getByRole('checkbox', { name: 'Enable first vendor' }).press(' ')
    await click(button('Run'))
    await page.getByText(/would go elsewhere or end otherwise/).waitFor({ timeout: 20_000 })
    await page.getByRole('row').filter({ hasText: 'second vendor' }).last().waitFor()
    await click(button('Apply this'))
    await page.getByRole('alertdialog').getByText('first vendor: switch off').waitFor()
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Apply', exact: true }))

    await said('Applied 1 change')
    finish('try a change on recorded requests, and apply it', 8)
    await page.goto(`${app.origin}/channel`)
    await rowOf('first vendor').getByText('Disabled', { exact: true }).first().waitFor()
  })

  it('drags over the histogram of the log to narrow its time', async () => {
    await page.goto(`${app.origin}/log?preset=hour`)
    const bars = page.getByRole('img', { name: /requests? over the chosen time$/ })
    const box = await bars.boundingBox()
    if (box === null) throw new Error('the histogram is not on the page')
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.99, box.y + 10, { steps: 4 })
    await page.mouse.up()

    await page.waitForURL(/start=\d+/)
    const { searchParams } = new URL(page.url())
    const [from, until] = ['start', 'end'].map((name) => Number(searchParams.get(name)))
    expect((until ?? 0) - (from ?? 0)).toBeGreaterThan(20 * 60)
    expect((until ?? 0) - (from ?? 0)).toBeLessThan(40 * 60)
    expect(await bars.getAttribute('aria-label')).not.toMatch(/^0 /)
  })

  it('imports another gateway from a file: a dry run, its report, the run and its result', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'import-'))
    const file = join(dir, 'one-api.db')
    writeGatewayFile(file, gatewayTables('new-api-2026'))
    const panel = (name: string): Locator => page.getByRole('heading', { name, exact: true })
    /** Answers the question for the password, which depends on how long ago it was given. */
    const proven = async (then: Locator): Promise<void> => {
      const password = page.getByRole('dialog').getByLabel('Current password', { exact: true })
      await password.or(then).first().waitFor({ timeout: 20_000 })
      if (!(await password.isVisible())) return
      await password.fill(ROOT_USER.password)
      await page.getByRole('dialog').getByRole('button', { name: 'Continue', exact: true }).click()
      await then.first().waitFor({ timeout: 20_000 })
    }
    await start()
    await goTo('Settings')
    await click(page.getByRole('link', { name: 'Import from another gateway' }))
    await click(page.getByText('File', { exact: true }))
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('one-api.db').waitFor()
    await page.getByLabel('Names that exist here').selectOption('rename')
    await page.getByLabel('Days of the log').fill('36500')
    await click(button('Start dry run'))
    await proven(panel('Result'))

    await said('Nothing was written.')
    await page.getByRole('row', { name: /^Users 6 / }).waitFor()
    await said(/requests of the old log/)
    expect(must(await app.api.get<{ total: number }>('/api/user/search?keyword=alice')).total).toBe(0)
    await click(button('Import…'))
    await page
      .getByRole('alertdialog')
      .getByText(/^Users: 6 new/)
      .waitFor()
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Import', exact: true }))
    await proven(panel('Imported so far'))
    await page.getByRole('row', { name: /^new-api new-api/ }).waitFor()
    await page.getByRole('row', { name: /^Balances / }).waitFor()
    finish('import another gateway', 6)
    await page.goto(`${app.origin}/user`)
    await rowOf('alice').first().waitFor()
    await rm(dir, { recursive: true })
  })

  it('meets no error of a page', () => {
    expect(app.pageErrors).toEqual([])
  })
})
