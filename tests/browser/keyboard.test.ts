import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT_USER } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'
import { runShell } from '../support/snippets.ts'

/** More than any screen has from its first element to its last. */
const MAX_TABS = 120

/** The way from set-up to a first answered request, without a pointer. */
describe('the console by keyboard alone', () => {
  let app: ConsoleUnderTest
  let page: Page

  beforeAll(async () => {
    app = await startConsole({ isSetUp: false })
    page = await app.openVisitor()
  })
  afterAll(async () => {
    await app.stop()
  })

  const named = (role: 'button' | 'link' | 'textbox' | 'row', name: string | RegExp): Locator => page.getByRole(role, { name }).first()
  const inDialog = (role: 'button' | 'textbox' | 'link', name: string | RegExp): Locator =>
    page.getByRole('dialog').getByRole(role, { name }).first()

  /** Presses Tab until the focus is on the target. */
  const tabTo = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let presses = 0; presses < MAX_TABS; presses += 1) {
      if (await target.evaluate<boolean, HTMLElementLike>((element) => element.matches(':focus'))) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${String(target)} is not reached by Tab`)
  }
  const fill = async (target: Locator, text: string): Promise<void> => {
    await tabTo(target)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }
  const press = async (target: Locator): Promise<void> => {
    await tabTo(target)
    await page.keyboard.press('Enter')
  }

  it('sets the installation up', async () => {
    await page.goto(app.origin)
    await fill(page.getByLabel('Admin username'), ROOT_USER.username)
    await fill(page.getByLabel(/^Password/), ROOT_USER.password)
    await fill(page.getByLabel('Confirm password'), ROOT_USER.password)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: /^Get started/ }).waitFor()
  })

  it('creates a channel', async () => {
    await page.goto(`${app.origin}/token`)
    await press(named('link', 'Channels'))
    await press(named('button', 'Add channel'))
    const drawer = page.getByRole('dialog')
    await fill(drawer.getByLabel(/^Name/), 'script')
    await fill(drawer.getByLabel(/^Key/), 'sk-vendor')
    await fill(drawer.getByLabel(/^Base URL/), `${app.vendor.url}/ok`)
    await press(inDialog('button', 'Remove all models'))
    await fill(drawer.getByLabel('Custom model names'), 'gpt-4o-mini')
    await press(inDialog('button', /^Add$/))
    await press(inDialog('button', /^Create$/))

    await page.getByRole('cell', { name: 'script' }).first().waitFor()
    await drawer.waitFor({ state: 'hidden' })
  })

  it('creates a token and sends the shown request', async () => {
    await press(named('link', 'API tokens'))
    await press(named('button', 'New token'))
    await fill(page.getByRole('dialog').getByLabel(/^Name/), 'keys only')
    await page.keyboard.press('Enter')
    const command = page.getByRole('dialog').getByRole('tabpanel').locator('pre')
    const answer = await runShell((await command.textContent()) ?? '')
    expect(answer.trimEnd().endsWith('data: [DONE]')).toBe(true)

    await press(inDialog('button', 'Done'))
    await page.getByRole('row', { name: /keys only/ }).waitFor()
  })

  it('finds the request in the log and opens its explanation', async () => {
    await press(named('link', 'Usage log'))
    const row = named('row', /gpt-4o-mini/)
    // The row is posted a second after the response.
    const look = async (): Promise<number> => {
      await press(named('button', 'Refresh'))
      return await row.count()
    }
    await expect.poll(look, { timeout: 30_000 }).toBe(1)
    await press(row)

    await page.getByRole('dialog').getByText('Request explained').first().waitFor()
    await page.getByRole('dialog').getByText('gpt-4o-mini').first().waitFor()
  })

  it('throws no error in the page', () => {
    expect(app.pageErrors).toEqual([])
  })
})

/** The part of a DOM element that is used here; tests have no DOM types. */
type HTMLElementLike = { matches(selector: string): boolean }
