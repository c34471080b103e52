import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChannel, createToken, must } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

const MODELS = 5000
/** Figures of one channel. */
const MAX_MODELS = 2000

/** A catalogue with one model, in $ per million tokens, as two sources have it. */
const catalogueOf = (input: string, output: string) =>
  JSON.stringify({
    format: 'tollgate-catalogue-1',
    date: '2026-11-20',
    models: [
      {
        name: 'fox-1',
        maker: 'Maker',
        mode: 'chat',
        abilities: [],
        prices: [{ unit: 'token', lines: { input, output }, sources: ['litellm', 'genai-prices'] }],
      },
    ],
  })

/** Prices as a visitor reads them, and as an administrator changes them. */
describe('prices', () => {
  let app: ConsoleUnderTest
  let page: Page
  let catalogue: Server
  let served = ''

  beforeAll(async () => {
    catalogue = createServer((_incoming, outgoing) => void outgoing.end(served))
    await new Promise<void>((resolve) => void catalogue.listen(0, '127.0.0.1', resolve))
    app = await startConsole({ env: { MEDIA_ALLOW_PRIVATE: '127.0.0.0/8' } })
    const many = Array.from({ length: MODELS - 3 }, (_, at) => `model-${at}`)
    const models = ['gpt-4o', 'dall-e-3', 'fox-1', ...many]
    for (let start = 0; start < MODELS; start += MAX_MODELS) {
      const own = models.slice(start, start + MAX_MODELS).join(',')
      await createChannel(app.api, { name: `models from ${start}`, base_url: `${app.vendor.url}/ok`, models: own })
    }
    page = await app.openSignedIn()
  })
  afterAll(async () => {
    await app.stop()
    catalogue.close()
  })

  it('shows 5 000 models to a visitor, with few of them rendered, and computes what a prompt costs', async () => {
    const visitor = await app.openVisitor()
    await visitor.goto(`${app.origin}/pricing`)
    const table = visitor.getByRole('table', { name: 'Model prices' })
    await table.getByRole('button', { name: 'dall-e-3', exact: true }).waitFor()

    expect(await visitor.getByText('You are not signed in.').count()).toBe(1)
    expect(await table.getAttribute('aria-rowcount')).toBe(String(MODELS + 1))
    expect(await table.getByRole('row').count()).toBeLessThan(60)
    await visitor.getByPlaceholder('Search model names').fill('gpt4')
    await table.getByText('$2.5 / 1M tokens').waitFor()
    await visitor.getByRole('button', { name: 'Cost calculator' }).click()
    await visitor.getByRole('textbox', { name: 'Input tokens' }).fill('1000000')
    await table.getByRole('cell', { name: '$2.5', exact: true }).waitFor()

    await table.getByRole('button', { name: 'Price details of gpt-4o' }).click()
    await visitor.getByRole('dialog', { name: 'gpt-4o' }).getByText('curl -N').waitFor()
    await visitor.context().close()
  })

  const prices = (): Locator => page.getByRole('form', { name: 'Model prices' })
  const tool = async (name: string, title: string): Promise<Locator> => {
    await prices().getByRole('button', { name }).click()
    return page.getByRole('dialog', { name: title })
  }

  it('imports a list, tries it on past usage, and schedules it', async () => {
    const { key } = await createToken(app.api, { name: 'buyer' })
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] })
    const answer = await fetch(`${app.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer sk-${key}`, 'Content-Type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(200)
    await expect.poll(async () => must(await app.api.get<{ total: number }>('/api/log/?type=2')).total, { timeout: 20_000 }).toBe(1)

    await page.goto(`${app.origin}/setting?keyword=ModelRatio`)
    const list = await tool('Import prices', 'Import a price list')
    await list.getByRole('textbox', { name: 'Price list' }).fill('model,input,output\ngpt-4o,5,x')
    await list.getByText('Line 2: “x” in output is not a valid price').waitFor()
    await list.getByRole('textbox', { name: 'Price list' }).fill('model,input,output\ngpt-4o,5,20')
    await list.getByText('Changed 1').waitFor()
    await list.getByRole('button', { name: 'Fill in 1 model' }).click()

    const replay = await tool('Try on past usage', 'Try these prices')
    await replay.getByRole('button', { name: 'Start' }).click()
    await replay.getByText('(+100.0%)').first().waitFor({ timeout: 20_000 })
    await page.keyboard.press('Escape')

    const schedule = await tool('Schedule', 'Schedule a price change')
    await schedule.getByRole('textbox', { name: 'Takes effect' }).fill('2099-01-01 00:00:00')
    await page.keyboard.press('Enter')
    await schedule.getByRole('button', { name: 'Schedule', exact: true }).click()
    await schedule.waitFor({ state: 'hidden' })
    const again = await tool('Schedule', 'Schedule a price change')
    await again.getByText('ModelRatio · gpt-4o: 2.5').waitFor()
  })

  it('follow a changed catalogue within bounds, and one click puts them back', async () => {
    const set = async (key: string, value: string): Promise<void> => void must(await app.api.put('/api/option/', { key, value }))
    const { port } = catalogue.address() as AddressInfo // it listens on a port
    const address = `http://127.0.0.1:${port}/catalogue.json`
    const ratio = async (): Promise<unknown> => {
      const options = must(await app.api.get<readonly { key: string; value: string }[]>('/api/option/'))
      return (JSON.parse(options.find(({ key }) => key === 'ModelRatio')?.value ?? '{}') as Record<string, unknown>)['fox-1']
    }
    const stored = JSON.parse(
      must(await app.api.get<readonly { key: string; value: string }[]>('/api/option/')).find(({ key }) => key === 'ModelRatio')?.value ??
        '{}',
    ) as Record<string, number>
    await set('ModelRatio', JSON.stringify({ ...stored, 'fox-1': 1 }))
    await set('CompletionRatio', JSON.stringify({ 'fox-1': 4 }))
    await set('PriceCatalogueAddress', address)
    await set('PriceRefreshEnabled', 'true')
    served = catalogueOf('2', '8')
    await page.goto(`${app.origin}/setting?keyword=ModelRatio`)
    let drawer = await tool('Price catalogue', 'Price catalogue')
    const compare = async (text: string): Promise<void> => {
      await drawer.getByRole('button', { name: 'Compare now' }).click()
      await drawer.getByText(text).waitFor({ timeout: 20_000 })
    }

    await compare('No price was taken')
    served = catalogueOf('2000', '8000')
    await compare('more than 20 times')
    served = '<html>not a catalogue</html>'
    await compare('could not be read')
    served = catalogueOf('-2', '8')
    await compare('could not be read')
    expect(await ratio()).toBe(1)

    served = catalogueOf('4', '16')
    await compare('Took the price of 1 model: fox-1')
    expect(await ratio()).toBe(2)
    await drawer.getByRole('button', { name: 'Put back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Put back' }).click()
    await expect.poll(ratio, { timeout: 10_000 }).toBe(1)

    served = catalogueOf('3', '12')
    await page.reload()
    drawer = await tool('Price catalogue', 'Price catalogue')
    await drawer.getByRole('button', { name: 'From an address' }).click()
    await drawer.getByRole('textbox', { name: 'Address' }).fill(address)
    await drawer.getByRole('button', { name: 'Read', exact: true }).click()
    await drawer
      .getByRole('row', { name: /fox-1.*\$2.*\$3/ })
      .getByRole('checkbox', { name: 'fox-1' })
      .check({ force: true })
    await drawer.getByRole('button', { name: 'Fill in 1 model' }).click()
    await prices()
      .getByRole('button', { name: /^Save \d changes?$/ })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
    await expect.poll(ratio, { timeout: 10_000 }).toBe(1.5)

    await page.goto(`${app.origin}/audit?resource_id=ModelRatio`)
    await page
      .getByRole('row', { name: /System.*ModelRatio|ModelRatio.*System/ })
      .first()
      .waitFor()
  })

  it('throws no error on any of these pages', () => {
    expect(app.pageErrors).toEqual([])
  })
})
