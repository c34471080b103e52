import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSealer } from '@tollgate/config/sealing'
import { findPriceRefresh } from '@tollgate/db/queries/prices/price-refresh'
import { listPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { storeOption, storedOption } from '@tollgate/testing/option-rows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refreshPrices } from './refresh-prices.ts'

const NOW = 1_795_000_000
const secrets = createSealer(`one:${Buffer.alloc(32, 1).toString('base64url')}`)
const MODEL = { name: 'm', maker: 'Maker', mode: 'chat', abilities: [] }
const fileWith = (input: string, output: string) => ({
  format: 'tollgate-catalogue-1',
  date: '2026-11-20',
  models: [{ ...MODEL, prices: [{ unit: 'token', lines: { input, output }, sources: ['litellm', 'genai-prices'] }] }],
})

describe('the refresh of prices', () => {
  let test: TestDatabase
  let server: Server
  let outbound: Outbound
  let answer: { status: number; body: string } = { status: 200, body: '' }
  beforeAll(async () => {
    test = await createTestDatabase()
    server = createServer((_incoming, outgoing) => outgoing.writeHead(answer.status).end(answer.body))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    outbound = createOutbound()
    const { id } = await test.db
      .insertInto('channels')
      .values({ name: 'a', key_sealed: '', key_hash: '', created_time: 1, models: 'm' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await test.db.insertInto('abilities').values({ model: 'm', group: 'default', channel_id: id, enabled: true }).execute()
  })
  afterAll(async () => {
    await outbound.close()
    server.close()
    await test.drop()
  })
  beforeEach(async () => {
    await test.db.deleteFrom('price_refresh').execute()
    await test.db.deleteFrom('price_history').execute()
    await save('ModelRatio', '{"m":1}')
    await save('CompletionRatio', '{"m":4}')
    await save('PriceRefreshEnabled', 'true')
    const { port } = server.address() as AddressInfo // it listens on a port
    await save('PriceCatalogueAddress', `http://127.0.0.1:${port}/catalogue.json`)
  })

  const save = (key: string, value: string) => storeOption(test.db, key, value)
  const ratios = () => storedOption(test.db, 'ModelRatio')
  const log = { info: () => undefined, warn: () => undefined }
  const refresh = (at = NOW) =>
    refreshPrices({ db: test.db, secrets, userOutbound: outbound, now: () => at * 1000, log })(
      {},
      { signal: new AbortController().signal, attempt: 1 },
    )
  const serve = (body: unknown, status = 200): void => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
  }

  it('takes a newer price once it knows that the stored one is the catalogue’s, with history and a new version', async () => {
    serve(fileWith('2', '8'))
    expect(await refresh()).toEqual({ applied: 0, waiting: 0 })
    const version = await getSnapshotVersion(test.db)
    serve(fileWith('4', '16'))

    expect(await refresh(NOW + 5)).toEqual({ applied: 1, waiting: 0 })

    expect(await ratios()).toEqual({ m: 2 })
    expect(await getSnapshotVersion(test.db)).toBe(version + 1)
    expect(await listPriceHistory(test.db, 'm', 5)).toEqual([
      { at: NOW + 5, option: 'ModelRatio', cause: 'catalogue', by_name: '', before: 1, after: 2 },
    ])
    expect(await findPriceRefresh(test.db)).toMatchObject({ applied: ['m'], waiting: [], date: '2026-11-20', message: '' })
    const audit = await test.db.selectFrom('audit_entries').select(['actor_id', 'resource_id']).execute()
    expect(audit).toContainEqual({ actor_id: 0, resource_id: 'ModelRatio' })
  })

  it('keeps a change that is too large for a person, and says so', async () => {
    serve(fileWith('2', '8'))
    await refresh()
    serve(fileWith('2000', '8000'))

    expect(await refresh()).toEqual({ applied: 0, waiting: 1 })
    expect(await ratios()).toEqual({ m: 1 })
    expect(await findPriceRefresh(test.db)).toMatchObject({ waiting: [{ model: 'm', reason: 'large', after: { input: 2000 } }] })
  })

  it.each([
    ['at all hours', { hours: [{ from: '00:00', to: '24:00', lines: { input: '2000', output: '8000' } }] }],
    ['of prompts over one token', { bands: [{ above: 1, lines: { input: '2000', output: '8000' } }] }],
    ['of cache writes', { lines: { input: '2', output: '8', cache_write: '2000' } }],
  ])('keeps a price a thousand times as high %s for a person', async (_what, over) => {
    const file = fileWith('2', '8')
    serve(file)
    await refresh()
    serve({ ...file, models: file.models.map((model) => ({ ...model, prices: model.prices.map((price) => ({ ...price, ...over })) })) })

    expect(await refresh()).toEqual({ applied: 0, waiting: 1 })
    expect(await findPriceRefresh(test.db)).toMatchObject({ waiting: [{ model: 'm', reason: 'large' }] })
  })

  it('takes what one source states up to the change that the option allows', async () => {
    const bySource = (input: string, output: string) => {
      const file = fileWith(input, output)
      return {
        ...file,
        models: file.models.map((model) => ({ ...model, prices: model.prices.map((price) => ({ ...price, sources: ['litellm'] })) })),
      }
    }
    serve(bySource('2', '8'))
    await refresh()
    serve(bySource('4', '16'))

    expect(await refresh()).toEqual({ applied: 0, waiting: 1 })
    await save('PriceRefreshMaxChange', '100')
    expect(await refresh()).toEqual({ applied: 1, waiting: 0 })
    await test.db.deleteFrom('options').where('key', '=', 'PriceRefreshMaxChange').execute()
  })

  it.each([
    ['a page', '<html>hello</html>', 200, 'format'],
    ['a list of nothing known', '{"models":[]}', 200, 'format'],
    ['an error', '', 503, 'HTTP 503'],
  ])('changes nothing and says why when the address answers with %s', async (_what, body, status, message) => {
    serve(fileWith('2', '8'))
    await refresh()
    serve(body, status)

    expect(await refresh()).toEqual({ applied: 0, waiting: 0 })
    expect(await ratios()).toEqual({ m: 1 })
    expect(await findPriceRefresh(test.db)).toMatchObject({ message, applied: [] })
    serve(fileWith('4', '16'))
    expect(await refresh()).toEqual({ applied: 1, waiting: 0 })
  })

  it.each(['-1', 'NaN', '1e9', '<b>4</b>'])('takes no price that is %s', async (input) => {
    serve(fileWith('2', '8'))
    await refresh()
    serve(fileWith(input, '8'))
    await refresh()
    expect(await ratios()).toEqual({ m: 1 })
  })

  it('reads nothing while the option is off', async () => {
    await save('PriceRefreshEnabled', 'false')
    serve(fileWith('2', '8'))
    expect(await refresh()).toEqual({ applied: 0, waiting: 0 })
    expect(await findPriceRefresh(test.db)).toBeUndefined()
  })

  it('compares with the catalogue of this version where no address is set', async () => {
    await save('PriceCatalogueAddress', '')
    await refresh()
    expect(await findPriceRefresh(test.db)).toMatchObject({ source: 'built-in', message: '' })
  })
})
