import OpenAI from 'openai'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, signIn } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

const PASSWORD = 'a-long-password'
/** 0.002 USD a call at 500 000 quota per USD. */
const PRICE = { model: 'per-call', usd: 0.002, quota: 1000 }

/** A company's path: from its founding to the statement of what a project has spent. */
describe('the path of an organisation', () => {
  let app: ConsoleUnderTest
  let owner: Page
  let developer: Page
  let link = ''
  let key = ''

  beforeAll(async () => {
    app = await startConsole({ workerEnv: { POST_USAGE_INTERVAL: '300' } })
    must(await app.api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify({ [PRICE.model]: PRICE.usd }) }))
    must(await app.api.put('/api/option/', { key: 'OrganisationFounders', value: 'all' }))
    await createChannel(app.api, { base_url: `${app.vendor.url}/ok`, models: PRICE.model })
    for (const username of ['ann', 'ben']) must(await app.api.post('/api/user/', { username, password: PASSWORD }))
    owner = await enter('ann')
    developer = await enter('ben')
  })
  afterAll(async () => {
    await app.stop()
  })

  const enter = async (name: string): Promise<Page> => {
    const page = await app.openVisitor({ language: 'en' })
    await page.goto(`${app.origin}/login`)
    await page.getByLabel('Username or email').fill(name)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    return page
  }
  const save = (page: Page, name: 'Create' | 'Save' | 'Add') => page.getByRole('button', { name, exact: true }).click()

  it('begins with its founding, a project and an invitation by link', async () => {
    await owner.goto(`${app.origin}/organisations`)
    await owner.getByRole('button', { name: 'Found an organisation' }).click()
    await owner.getByLabel(/^Name/).fill('Acme Research')
    await save(owner, 'Create')
    await owner.waitForURL('**/organisation')
    await owner.getByRole('heading', { name: 'Acme Research', level: 1 }).waitFor()

    await owner.getByRole('button', { name: 'New project' }).click()
    await owner.getByLabel(/^Name/).fill('Website')
    await save(owner, 'Create')
    await owner.getByText('Project added').waitFor()

    await owner.getByRole('button', { name: 'Invite', exact: true }).click()
    await save(owner, 'Create')
    link = (await owner.getByLabel('Invitation link').last().textContent()) ?? ''
    expect(link).toMatch(/\/organisations\?code=[\w-]{20,}$/)
    await owner.getByRole('button', { name: 'Close', exact: true }).click()
  })

  it('goes on with a member who joins and makes a token in the project', async () => {
    await developer.goto(link)
    await developer.getByText(/By ann, as Developer\. You join with the account/).waitFor()
    await developer.getByRole('button', { name: 'Join' }).click()
    await developer.getByText('You are a member of “Acme Research” now').waitFor()
    await developer.getByRole('button', { name: 'Switch to it' }).click()
    await developer.waitForURL('**/organisation')

    await developer.goto(`${app.origin}/token?edit=new`)
    await developer.getByLabel(/^Name/).first().fill('site')
    await developer.getByLabel('Project').selectOption('Website')
    await developer.getByText('Unlimited quota').first().click()
    await save(developer, 'Create')
    await developer.getByText(/sk-/).first().waitFor()

    const api = await signIn(app.origin, 'ben', PASSWORD)
    const [{ id = 0 } = {}] = must(await api.get<{ items: { id?: number }[] }>('/api/organisations/')).items
    must(await app.api.post('/api/user/quota', { id, amount: 1000 * PRICE.quota, reason: 'start' }))
    const chosen = await signIn(app.origin, 'ben', PASSWORD, { 'New-Api-User': String(id) })
    key = must(await chosen.get<{ key: string }[]>('/api/token/?p=0&size=5'))[0]?.key ?? ''
    expect(key).toMatch(/^\w{48}$/)
  })

  it('holds the project to a budget, which the owner raises', async () => {
    const client = new OpenAI({ baseURL: `${app.origin}/v1`, apiKey: `sk-${key}`, maxRetries: 0 })
    const ask = () => client.chat.completions.create({ model: PRICE.model, messages: [{ role: 'user', content: 'hi' }] })
    await owner.reload()
    await owner.getByRole('button', { name: 'Edit project “Website”' }).click()
    await owner.getByRole('button', { name: 'Add budget' }).last().click()
    const dialog = owner.getByRole('dialog').last()
    await dialog.getByLabel('Amount', { exact: true }).fill(String(2 * PRICE.quota))
    await dialog
      .getByRole('button', { name: /Add|Create|Save/ })
      .last()
      .click()
    await owner.getByText(/Refuses when used up/).waitFor()

    await vi.waitUntil(async () => await ask().then(() => true, () => false), { timeout: 10_000, interval: 300 }) // prettier-ignore
    await ask()
    await expect(ask()).rejects.toMatchObject({ status: 403, code: 'budget_exceeded', message: expect.stringContaining('this project') })

    await owner
      .getByRole('button', { name: /Edit .*budget/ })
      .last()
      .click()
    const edit = owner.getByRole('dialog').last()
    await edit.getByLabel('Amount', { exact: true }).fill(String(5 * PRICE.quota))
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await vi.waitUntil(async () => await ask().then(() => true, () => false), { timeout: 10_000, interval: 300 }) // prettier-ignore
  })

  it('ends with what the project and the member have spent, and nothing of it in the own account', async () => {
    const spent = async (): Promise<string> => {
      await owner.goto(`${app.origin}/organisation`)
      await owner.waitForLoadState('networkidle')
      return (await owner.getByRole('region', { name: 'Spending' }).first().innerText()).replaceAll(/\s+/g, ' ')
    }
    await expect.poll(spent, { timeout: 20_000, interval: 1000 }).toMatch(/Website .*3 /)
    await owner.goto(`${app.origin}/topup`)
    await owner.getByText('$1.99').first().waitFor()

    await owner.getByRole('button', { name: 'Account' }).click()
    await owner.getByRole('menuitem', { name: 'ann' }).click()
    await owner.waitForURL('**/token')
    await owner.getByText('site').waitFor({ state: 'detached' })
  })

  it('passes to another owner', async () => {
    await owner.getByRole('button', { name: 'Account' }).click()
    await owner.getByRole('menuitem', { name: 'Acme Research' }).click()
    await owner.goto(`${app.origin}/organisation`)
    await owner.getByRole('button', { name: 'Make ben the owner' }).click()
    await owner.getByRole('alertdialog').getByText('You become an administrator.').waitFor()
    await owner.getByRole('alertdialog').getByRole('button', { name: 'Make ben the owner' }).click()
    await owner.getByText('ben is the owner now').waitFor()
    // A member who is not the owner cannot pass it on.
    await owner.getByRole('button', { name: 'Make ben the owner' }).waitFor({ state: 'detached' })

    await developer.goto(`${app.origin}/organisation`)
    await developer.getByRole('button', { name: 'Make ann the owner' }).waitFor()
  })

  it('is shown to root as its new owner sees it, without changes', async () => {
    const { id: ben } = must(await (await signIn(app.origin, 'ben', PASSWORD)).get<{ id: number }>('/api/user/self'))
    const root = await app.openSignedIn({ language: 'en' })
    await root.goto(`${app.origin}/user?open=${ben}`)
    await pressWhileLoading(root, 'View as this user', new RegExp(`/api/user/${ben}/(usage|tokens)`))
    const banner = root.getByText('You see the console as ben.')
    await banner.waitFor()
    await root.locator('a[href="/token"]').first().click()
    await root.getByRole('button', { name: 'New token' }).first().click()
    await root.getByLabel(/^Name/).first().fill('not made')
    await save(root, 'Create')
    await root.getByText('You are viewing the console as this user').first().waitFor()
    await root.getByRole('button', { name: 'Cancel' }).first().click()
    await root.getByRole('button', { name: 'Discard changes' }).click()
    await root.getByRole('button', { name: 'End', exact: true }).click()
    await root.waitForURL('**/user?open=*')
    await banner.waitFor({ state: 'detached' })
    expect(app.pageErrors).toEqual([])
  })
})

/** Answers of `addresses` arrive while the button is held down: they must not take it from under the pointer. */
async function pressWhileLoading(page: Page, name: string, addresses: RegExp): Promise<void> {
  const release = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await release.promise
    await route.continue()
  })
  const button = page.getByRole('button', { name })
  await button.hover()
  await page.mouse.down()
  const arrived = page.waitForResponse(addresses)
  release.resolve()
  await arrived
  await page.getByText('Last request', { exact: true }).waitFor()
  await page.mouse.up()
}
