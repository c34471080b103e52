import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Receipt, type ReceiptKeyState, type SignedReceipt } from '@tollgate/contracts/resources/receipts'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { toJsonb } from '@tollgate/db/jsonb'
import { packEvent } from '@tollgate/db/packed-event'
import type { ClickHouseStore } from '@tollgate/log-store/clickhouse'
import { dropMoved, moveLogs } from '@tollgate/log-store/move-logs'
import { openLogStore } from '@tollgate/log-store/open'
import { startClickHouse, whyNoClickHouse, type TestClickHouse } from '@tollgate/testing/clickhouse'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const run = promisify(execFile)
const why = await whyNoClickHouse()
const VERIFIER = join(import.meta.dirname, '../../../../../docs/verify-receipt.mjs')
const NOW = Math.floor(Date.now() / 1000)
/** A usage event as it is stored, with the hashes of its bodies at the end. */
const EVENT = `[2,[7,7,"lin","mine"],[0,"gpt-4o","default",1,500000,1795981000,1.25,4,0.5,1.25,1,20,2,0,1,2],[0,0,1795981274442],\
["203.0.113.7","OpenAI/Python 1.109.1",0,0],[0,0,0,4,"channel 4",1,0,1500.4,-1000,[23,53,0,0,0,0,0,0,23,53,0],294,200,0],\
[[0.4,0.8,1.2],[[4,0,1,0,2.4,1500.1,0,0,212.7,1,200]],[[4,0,0,1,0]],5000,5000,\
9,[["${'a'.repeat(64)}",12],["${'b'.repeat(64)}",3000000000,1]]]]`
const QUOTE: Quote = {
  mode: 'ratio',
  model: 'gpt-4o',
  group: 'default',
  group_ratio: 1,
  quota_per_unit: 500_000,
  price_version: 1,
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  is_unpriced: false,
}
const usageOf = (prompt: number, completion: number): Usage => ({
  ...ZERO_USAGE,
  text_in: prompt,
  text_out: completion,
  prompt_tokens: prompt,
  completion_tokens: completion,
  source: 'upstream',
})

describe('receipts', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let dir: string
  let linId: number
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tollgate-receipts-'))
    test = await createTestApp()
    root = await test.setUp()
    for (const username of ['lin', 'other']) await root('POST', '/api/user/', { username, password: 'a-long-password' })
    const { id } = await test.database.db.selectFrom('users').select('id').where('username', '=', 'lin').executeTakeFirstOrThrow()
    linId = id
    lin = await test.signIn('lin', 'a-long-password')
  })
  afterAll(async () => {
    await test.stop()
    await rm(dir, { recursive: true, force: true })
  })

  const addRow = async (over: object): Promise<number> => {
    await test.database.db
      .insertInto('logs')
      .values({ type: 2, user_id: linId, username: 'lin', token_name: 'mine', model_name: 'gpt-4o', created_at: NOW, ...over })
      .execute()
    const { id } = await test.database.db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    return id
  }
  const priced = (request_id: string, quota: number, usage = usageOf(1000, 100), over: object = {}) =>
    addRow({ request_id, quota, state: 'settled', usage: toJsonb(usage), quote: toJsonb(QUOTE), ...over })
  const receiptOf = async (by: Caller, id: number, path = 'self/'): Promise<SignedReceipt> =>
    (await by('GET', `/api/log/${path}${id}/receipt?created_at=${NOW}`)).body.data as SignedReceipt // the declared shape
  const keySet = async () => (await (await test.app.request('/.well-known/jwks.json')).json()) as JSONWebKeySet // another test reads it with the schema
  /** Runs the published script, as an auditor does. */
  const check = async (jws: string) => {
    await writeFile(join(dir, 'receipt.jws'), `${jws}\n`)
    await writeFile(join(dir, 'keys.json'), JSON.stringify(await keySet()))
    return await run(process.execPath, [VERIFIER, join(dir, 'receipt.jws'), join(dir, 'keys.json')]).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
    )
  }

  it('say what a charge was made of, and verify with the published script and with a library', async () => {
    const quota = quotaOf(QUOTE, usageOf(1000, 100))
    const id = await priced('20261128000001', quota)

    const { jws, receipt } = await receiptOf(lin, id)
    expect(receipt).toMatchObject({
      kind: 'charge',
      id: '20261128000001:charge',
      corrects: null,
      user: { name: 'lin' },
      token: { name: 'mine' },
      model: 'gpt-4o',
      usage: { prompt_tokens: '1000', completion_tokens: '100' },
      price: { model_ratio: '1.25', completion_ratio: '4' },
      charge: { quota: String(quota), usd: '0.0035', quota_per_usd: '500000' },
    })
    const library = await compactVerify(jws, createLocalJWKSet(await keySet()))
    expect(Receipt.parse(JSON.parse(new TextDecoder().decode(library.payload)))).toEqual(receipt)
    const script = await check(jws)
    expect([script.code, Receipt.parse(JSON.parse(script.text))]).toEqual([0, receipt])
    // The same row gives the same receipt.
    expect((await receiptOf(root, id, '')).jws).toBe(jws)
  })

  it.each([
    [12_345_678_901, 1_000_000, '12345.678901'],
    [493_827_160_500, 500_000, '987654.321'],
    [1, 1_000_000_000_000, '0.000000000001'],
  ])('state a charge of %d exactly, at %d for a dollar', async (quota, quota_per_unit, usd) => {
    const id = await addRow({
      request_id: `2026112801${quota}`,
      quota,
      state: 'settled',
      usage: toJsonb(usageOf(1, 1)),
      quote: toJsonb({ ...QUOTE, quota_per_unit }),
    })

    expect((await receiptOf(lin, id)).receipt.charge).toEqual({ quota: String(quota), usd, quota_per_usd: String(quota_per_unit) })
  })

  it('do not verify after one changed byte, or with another key', async () => {
    const { jws } = await receiptOf(lin, await priced('20261128000002', 1750))
    const [head = '', content = '', signature = ''] = jws.split('.')
    const changed = Buffer.from(content, 'base64url').toString().replace('"lin"', '"liz"')

    expect(await check(`${head}.${Buffer.from(changed).toString('base64url')}.${signature}`)).toMatchObject({
      code: 1,
      text: expect.stringContaining('changed'),
    })
    const strange = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'none', typ: 'tollgate-receipt+jws' })).toString('base64url')
    expect(await check(`${strange}.${content}.${signature}`)).toMatchObject({ code: 1, text: expect.stringContaining('does not publish') })
    expect(await check('no receipt')).toMatchObject({ code: 1 })
  })

  it('state a refund in the dollars of the site', async () => {
    const refund = await addRow({ request_id: '20261128000004', quota: -1500, state: 'refunded' })
    await root('PUT', '/api/option/', { key: 'QuotaPerUnit', value: '1000000' })
    const { receipt } = await receiptOf(lin, refund)
    await root('PUT', '/api/option/', { key: 'QuotaPerUnit', value: '500000' })

    expect(receipt.charge).toEqual({ quota: '-1500', usd: '-0.0015', quota_per_usd: '1000000' })
  })

  it('name the charge that a correction or refund changes', async () => {
    const late = await priced('20261128000003', -250, usageOf(900, 100), { state: 'late' })
    const refund = await addRow({ request_id: '20261128000003', quota: -1500, state: 'refunded' })

    expect((await receiptOf(lin, late)).receipt).toMatchObject({
      kind: 'correction',
      corrects: '20261128000003:charge',
      charge: { quota: '-250', usd: '-0.0005' },
    })
    expect((await receiptOf(lin, refund)).receipt).toMatchObject({
      kind: 'refund',
      id: `20261128000003:refund:${refund}`,
      corrects: '20261128000003:charge',
      usage: null,
      charge: { quota: '-1500' },
    })
  })

  it('stay valid after a new key signs, which only root makes', async () => {
    const { jws: old } = await receiptOf(lin, await priced('20261128000004', 1750))
    expect((await lin('POST', '/api/receipts/keys')).body.success).toBe(false)

    const { body } = await root('POST', '/api/receipts/keys')
    expect(body.success).toBe(true)
    const { kid } = body.data as ReceiptKeyState // the declared shape
    const { jws } = await receiptOf(lin, await priced('20261128000005', 1750))
    expect(JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      kid,
      typ: 'tollgate-receipt+jws',
    })
    expect([(await check(old)).code, (await check(jws)).code]).toEqual([0, 0])
    const states = (await root('GET', '/api/receipts/keys')).body.data as ReceiptKeyState[] // the declared shape
    expect(states.map(({ retired_at }) => retired_at > 0)).toEqual([false, true])
    expect(JSON.stringify(await keySet())).not.toMatch(/"d"|key_sealed|"alg"/)
  })

  it('are of own entries only, and of those that book something', async () => {
    const id = await priced('20261128000006', 1750)
    const other = await test.signIn('other', 'a-long-password')
    const topUp = await addRow({ type: 1, content: 'top-up' })

    expect((await other('GET', `/api/log/self/${id}/receipt?created_at=${NOW}`)).body.success).toBe(false)
    expect((await other('GET', `/api/log/${id}/receipt?created_at=${NOW}`)).body.success).toBe(false)
    expect((await lin('GET', `/api/log/self/${topUp}/receipt?created_at=${NOW}`)).body).toMatchObject({
      success: false,
      message: expect.stringContaining('没有收据'),
    })
  })

  it('of a range of time are one file, newest first, which the script checks as a whole', async () => {
    const at = NOW - 5000
    await priced('20261128000007', 1750, usageOf(1000, 100), { created_at: at })
    await priced('20261128000008', 1750, usageOf(1000, 100), { created_at: at + 1 })
    await addRow({ type: 1, created_at: at + 1, content: 'top-up' })

    const { body } = await lin('GET', `/api/log/self/receipts/export?start_timestamp=${at}&end_timestamp=${at + 1}`)
    const lines = body.message.trim().split('\n')
    expect(
      lines.map((jws) => JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())).map(({ id }: { id: string }) => id),
    ).toEqual(['20261128000008:charge', '20261128000007:charge'])
    expect(await check(body.message)).toMatchObject({ code: 0 })
    const other = await test.signIn('other', 'a-long-password')
    expect((await other('GET', `/api/log/self/receipts/export?start_timestamp=${at}`)).body.message).toBe('')
  })

  it('equal their rows: a thousand with random usage', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => {
      const usage = usageOf(1 + ((at * 7919) % 100_000), (at * 104_729) % 5000)
      return { usage, quota: quotaOf(QUOTE, usage), request_id: `2026112801${String(at).padStart(6, '0')}` }
    })
    await test.database.db
      .insertInto('logs')
      .values(
        rows.map(({ usage, quota, request_id }) => ({
          type: 2,
          user_id: linId,
          username: 'lin',
          model_name: 'gpt-4o',
          created_at: NOW,
          state: 'settled',
          request_id,
          quota,
          usage: toJsonb(usage),
          quote: toJsonb(QUOTE),
        })),
      )
      .execute()
    const stored = await test.database.db
      .selectFrom('logs')
      .select(['id', 'request_id'])
      .where('request_id', 'like', '2026112801%')
      .execute()
    const ids = new Map(stored.map(({ id, request_id }) => [request_id, id]))
    const local = createLocalJWKSet(await keySet())
    const wrong: string[] = []
    for (const { request_id, quota, usage } of rows) {
      const { jws } = await receiptOf(lin, ids.get(request_id) ?? 0)
      const { payload } = await compactVerify(jws, local)
      const receipt = Receipt.parse(JSON.parse(new TextDecoder().decode(payload)))
      const same =
        receipt.charge.quota === String(quota) && (receipt.usage as { prompt_tokens: string }).prompt_tokens === String(usage.prompt_tokens) // as written
      if (!same || receipt.request_id !== request_id) wrong.push(request_id)
    }
    expect(wrong).toEqual([])
  })

  describe.skipIf(why !== undefined)(`of rows in a log store${why === undefined ? '' : `: ${why}`}`, () => {
    let server: TestClickHouse
    let store: ClickHouseStore | undefined
    beforeAll(async () => {
      server = await startClickHouse()
    }, 240_000)
    afterAll(async () => {
      await store?.close()
      await server.stop()
    })

    it('are the same as those of Postgres, byte for byte, also of a packed event with hashes', async () => {
      await addRow({ request_id: '20261128020000', quota: 64, state: 'settled', other: '', event: packEvent(EVENT) })
      await priced('20261128020001', -250, usageOf(900, 100), { state: 'late' })
      await addRow({ request_id: '20261128020001', quota: -1500, state: 'refunded', token_name: 'it’s "quoted"' })
      const file = async () =>
        (await lin('GET', `/api/log/self/receipts/export?start_timestamp=${NOW - 60}&end_timestamp=${NOW + 60}`)).body.message
      const before = await file()

      store = await openLogStore({ url: server.url, db: test.deps.db, others: [test.deps.reads], now: Date.now })
      if (store === undefined) throw new Error('no log store')
      await moveLogs({ db: test.deps.db, store })
      const moved = await dropMoved({ db: test.deps.db, store })

      expect(moved).toBeGreaterThan(1000)
      expect((await file()).split('\n')).toEqual(before.split('\n'))
      const made = before.split('\n').map((jws) => Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
      expect(made.find((text) => text.includes('20261128020000'))).toContain('"bytes":"3000000000"')
    }, 120_000)
  })
})
