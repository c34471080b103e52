import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { createSealer } from '@tollgate/config/sealing'
import { findPriceRefresh } from '@tollgate/db/queries/prices/price-refresh'
import { listPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { pricedModels } from '@tollgate/domain/model-catalogue/price-entries'
import { readCatalogueFile } from '@tollgate/domain/model-catalogue/read-file'
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

function sendForever(reply: ServerResponse): void {
  const piece = Buffer.alloc(256 * 1024, 0x20)
  const send = (): void => {
    if (reply.destroyed) return
    if (reply.write(piece)) setImmediate(send)
    else reply.once('drain', send)
  }
  send()
}

function cutOff(reply: ServerResponse): void {
  reply.writeHead(200, { 'content-length': 1000 }).write('{"format":')
  reply.socket?.end()
}

describe('the refresh of prices', () => {
  let test: TestDatabase
  let server: Server
  let outbound: Outbound
  let respond: (reply: ServerResponse) => void
  beforeAll(async () => {
    test = await createTestDatabase()
    server = createServer((_incoming, outgoing) => respond(outgoing))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    outbound = createOutbound()
    const { id } = await test.db
      .insertInto('channels')
      .values({ name: 'a', key_sealed: '', key_hash: '', created_time: 1, models: 'm' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const model of ['m', 'n'])
      await test.db.insertInto('abilities').values({ model, group: 'default', channel_id: id, enabled: true }).execute()
  })
  afterAll(async () => {
    await outbound.close()
    server.close()
    server.closeAllConnections()
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
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    respond = (reply) => reply.writeHead(status).end(text)
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

  const ratioFile = (ratio: number, odd: { readonly ratio?: number; readonly price?: number }) => ({
    data: {
      model_ratio: { m: ratio, ...(odd.ratio === undefined ? {} : { n: odd.ratio }) },
      completion_ratio: { m: 4, n: odd.ratio ?? 1 },
      model_price: odd.price === undefined ? {} : { n: odd.price },
    },
  })
  it.each([
    ['a ratio of 1e300', { ratio: 1e300 }],
    ['a ratio above what an option holds', { ratio: 2_000_000 }],
    ['a price of 1e308 a call', { price: 1e308 }],
  ])('is not stopped by another model with %s', async (_what, odd) => {
    await save('PriceRefreshMaxChange', '100')
    serve(ratioFile(1, odd))
    await refresh()
    serve(ratioFile(2, odd))

    expect(await refresh()).toEqual({ applied: 1, waiting: 0 })
    expect(await ratios()).toEqual({ m: 2 })
    expect(await findPriceRefresh(test.db)).toMatchObject({ applied: ['m'], message: '' })
    await test.db.deleteFrom('options').where('key', '=', 'PriceRefreshMaxChange').execute()
  })

  it.each([
    ['an endless file', 'too-large', (reply: ServerResponse) => sendForever(reply)],
    [
      'a file that unpacks to more than it may have',
      'too-large',
      (reply: ServerResponse) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))),
    ],
    ['a file that is no gzip', 'malformed', (reply: ServerResponse) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('{}')],
    ['less than it announced', 'reset', (reply: ServerResponse) => cutOff(reply)],
    ['itself as another place', 'HTTP 302', (reply: ServerResponse) => reply.writeHead(302, { location: '/catalogue.json' }).end()],
    ['a private place', 'HTTP 307', (reply: ServerResponse) => reply.writeHead(307, { location: 'http://169.254.169.254/' }).end()],
    ['bytes that are no text', 'format', (reply: ServerResponse) => reply.end(Buffer.alloc(100_000, 0xff))],
    ['brackets without end', 'format', (reply: ServerResponse) => reply.end('['.repeat(1_000_000))],
    ['no content', 'HTTP 204', (reply: ServerResponse) => reply.writeHead(204).end()],
  ])('changes nothing and says why when the server sends %s', async (_what, message, send) => {
    serve(fileWith('2', '8'))
    await refresh()
    respond = send

    expect(await refresh()).toEqual({ applied: 0, waiting: 0 })
    expect(await ratios()).toEqual({ m: 1 })
    expect(await findPriceRefresh(test.db)).toMatchObject({ message, applied: [], waiting: [] })
    expect(await listPriceHistory(test.db, 'm', 5)).toEqual([])
    serve(fileWith('4', '16'))
    expect(await refresh()).toEqual({ applied: 1, waiting: 0 })
  })

  it('leaves the event loop to other work while it reads a file of the largest size', async () => {
    const band = (above: number) => ({ above, lines: { input: '4', output: '16' } })
    const others = Array.from({ length: 20_000 }, (_, at) => ({
      ...MODEL,
      name: `other-${at}`,
      page: `https://vendor.example/${'x'.repeat(200)}`,
      prices: [
        { unit: 'token', lines: { input: '2', output: '8' }, bands: [band(at + 1), band(200_000)], sources: ['litellm', 'genai-prices'] },
      ],
    }))
    const known = fileWith('2', '8')
    const text = JSON.stringify({ ...known, models: [...known.models, ...others.slice(1)] })
    serve(text)
    const started = performance.now()
    const file = readCatalogueFile(text)
    if ('fault' in file) throw new Error(file.fault)
    pricedModels({ models: file.models, date: '2026-11-20' })
    const atOnceMs = performance.now() - started
    const gaps = monitorEventLoopDelay({ resolution: 5 })
    gaps.enable()

    expect(await refresh()).toEqual({ applied: 0, waiting: 0 })

    gaps.disable()
    expect(await findPriceRefresh(test.db)).toMatchObject({ date: '2026-11-20', message: '' })
    expect(gaps.max / 1e6).toBeLessThan(atOnceMs / 4)
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
