import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, createToken, must } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

type LogRow = { readonly request_id: string; readonly prompt_tokens: number; readonly completion_tokens: number }

/** The screens that docs/runbooks lead through when money is in question. */
describe('the runbooks about money', () => {
  let app: ConsoleUnderTest
  let page: Page
  let key: string
  beforeAll(async () => {
    app = await startConsole()
    await createChannel(app.api, { name: 'scripted', base_url: `${app.vendor.url}/ok` })
    key = (await createToken(app.api, { name: 'nightly job', unlimited_quota: true })).key
    await vi.waitFor(async () => expect(await ask()).toBe(200))
    await vi.waitFor(async () => expect(await charged()).not.toEqual([]))
    page = await app.openSignedIn()
  })
  afterAll(async () => {
    await app.stop()
  })

  const ask = async (): Promise<number> => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}` }
    return (await fetch(`${app.origin}/v1/chat/completions`, { method: 'POST', headers, body })).status
  }
  const charged = async (): Promise<readonly LogRow[]> =>
    must(await app.api.get<{ items: LogRow[] }>('/api/log/?p=1&page_size=10&type=2')).items
  const drawer = (): Locator => page.getByRole('dialog')
  const rowOf = (text: string): Locator => page.getByRole('row').filter({ hasText: text })

  it('lead from a disputed charge to its lines and to a receipt that the customer can check', async () => {
    const request_id = (await charged())[0]?.request_id ?? ''
    await page.goto(`${app.origin}/log?request_id=${request_id}`)
    await rowOf('gpt-4o-mini').first().click()
    await drawer().getByText('Timeline').first().waitFor()
    await drawer().getByText('Price', { exact: true }).first().waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), drawer().getByRole('button', { name: 'Receipt' }).click()])
    const receipt = await readFile(await file.path(), 'utf8')

    const customer = await app.openVisitor()
    await customer.goto(`${app.origin}/receipt`)
    await customer.getByRole('textbox', { name: 'Receipt' }).fill(receipt)

    await customer.getByText('Valid', { exact: true }).waitFor()
    await customer.getByText(request_id).first().waitFor()
  })

  it('lead from an invoice that is too high to the line that did not come through the gateway', async () => {
    const rows = await charged()
    const sum = (of: (row: LogRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
    const day = new Date().toISOString().slice(0, 10)
    const own = `${day},gpt-4o-mini,${sum((row) => row.prompt_tokens)},${sum((row) => row.completion_tokens)}`
    const text = `Day,Model,In,Out\n${own}\n${day},gpt-4o,500000,20000\n`
    const columns = { day: ['Day'], model: ['Model'], input: ['In'], output: ['Out'] }
    const files = [{ name: 'invoice.csv', text, mapping: { columns, has_cached_in_input: true, amount_unit: 'dollar' } }]
    const head = { name: 'Too high', vendor: 'other', time_zone: 'UTC', channel_ids: [1] }
    must(await app.api.post('/api/vendor_invoice/', { ...head, files }))

    await page.goto(`${app.origin}/invoice`)
    await rowOf('Too high').getByText('Compared').first().waitFor()
    await rowOf('Too high').first().click()

    await page.getByText('Not sent through this gateway').first().waitFor()
    await rowOf('gpt-4o').first().waitFor()
  })

  it('lead from a day of high spend to its token, which is stopped at once', async () => {
    await page.goto(`${app.origin}/detail?range=today&by=token`)
    await rowOf('nightly job').first().click()
    await page.waitForURL((url) => url.pathname === '/log' && url.searchParams.get('token_name') === 'nightly job')
    await rowOf('gpt-4o-mini').first().waitFor()

    await page.goto(`${app.origin}/token`)
    await rowOf('nightly job').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()

    await rowOf('nightly job').getByText('Disabled', { exact: true }).first().waitFor()
    await expect.poll(ask).toBe(401)
    expect(app.pageErrors).toEqual([])
  })
})
