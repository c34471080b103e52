import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LogType } from '@tollgate/contracts/enums'
import { MAX_REFUSED_ROWS_PER_MINUTE, type RefusalBatch, type RefusedRequest } from '@tollgate/contracts/relay/refusal'
import { saveOption } from '@tollgate/db/queries/installation/options'
import { sumRefusals } from '@tollgate/db/queries/logs/refusals'
import { keys } from '@tollgate/redis/keys'
import { appendRefusals } from '@tollgate/redis/stores/refusal-stream'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger } from '../verify/verify.ts'
import { applyBatches } from './apply-batches.ts'
import { postRefusals } from './post-refusals.ts'

const AT = Date.UTC(2026, 5, 1, 12, 30, 5)
const MINUTE = Math.floor(AT / 60_000) * 60

const aRequest = (over: Partial<RefusedRequest> = {}): RefusedRequest => ({
  request_id: anId(),
  at: AT,
  user_id: 1,
  username: 'user-1',
  token_id: 1,
  token_name: 'token-1',
  group: 'default',
  model: 'gpt-x',
  is_known_model: true,
  is_stream: false,
  reason: 'model.unpriced',
  error_code: 'model_price_error',
  error_type: 'new_api_error',
  status: 400,
  message: 'Model gpt-x ratio or price not set',
  params: { model: 'gpt-x' },
  duration_ms: 3,
  client: { ip: '192.0.2.1', user_agent: 'test', method: 'POST', path: '/v1/chat/completions' },
  ...over,
})

/** `seen` refused requests, of which ten have a row. */
const aFlood = (seen: number, over: Partial<RefusedRequest> = {}): RefusalBatch => {
  const requests = Array.from({ length: 10 }, () => aRequest(over))
  const { user_id, token_id, reason } = aRequest(over)
  return { requests, counts: [{ minute: MINUTE, user_id, token_id, reason, seen }] }
}

describe('refused requests in Postgres', () => {
  let testbed: Testbed
  let seq = 0
  beforeAll(async () => {
    testbed = await createTestbed()
    for (const id of [1, 2, 3]) await testbed.addUser(id)
  })
  afterAll(() => testbed.close())

  const append = (batch: RefusalBatch, relay_id = 'a') => appendRefusals(testbed.redis, { relay_id, seq: (seq += 1), batch })
  const post = async (): Promise<void> => {
    const deps = { db: testbed.db, redis: testbed.redis, log: testbed.posting.log, now: () => AT }
    while ((await postRefusals(deps)) > 0);
  }
  const setOption = (value: string) =>
    testbed.db
      .transaction()
      .execute((tx) => saveOption(tx, { key: 'LogRefusedPerMinute', value, is_sealed: false, updated_at: 1, updated_by: 0 }))
  const rows = () => testbed.db.selectFrom('logs').selectAll().where('type', '=', LogType.refused).orderBy('id').execute()
  const sums = async (user_id: number, from = 0, to = 0) =>
    (await sumRefusals(testbed.db, { user_id, from, to })).map(({ is_by_hour: _unit, ...sum }) => sum)

  it('become rows up to the limit of a minute, and exact counts', async () => {
    for (let batch = 0; batch < 40; batch += 1) await append(aFlood(2500, { user_id: 1, token_id: 1 }), batch % 2 === 0 ? 'a' : 'b')
    await append(aFlood(7, { user_id: 1, token_id: 1, reason: 'request.invalid', error_code: 'invalid_request' }))
    await append(aFlood(11, { user_id: 2, token_id: 2, username: 'user-2', token_name: 'token-2' }))

    await post()

    // A third of thirty for each reason of a token.
    expect(await sums(1)).toEqual([
      { reason: 'model.unpriced', seen: 100_000, listed: 10 },
      { reason: 'request.invalid', seen: 7, listed: 10 },
    ])
    expect(await sums(2)).toEqual([{ reason: 'model.unpriced', seen: 11, listed: 10 }])
    expect(await rows()).toHaveLength(30)
    expect(await testbed.redis.xlen(keys.refusals())).toBe(0)
  })

  it('count in a range of minutes as many as were refused in it', async () => {
    const [early, late] = [MINUTE + 600, MINUTE + 1200]
    const counts = [early, late].map((minute, nth) => ({ minute, user_id: 3, token_id: 3, reason: 'request.invalid', seen: nth + 1 }))
    await append({ requests: [aRequest({ at: late * 1000, user_id: 3, token_id: 3, reason: 'request.invalid' })], counts })
    await post()

    expect(await sums(3, early, late - 1)).toEqual([{ reason: 'request.invalid', seen: 1, listed: 0 }])
    expect(await sums(3, late, late + 900)).toEqual([{ reason: 'request.invalid', seen: 2, listed: 1 }])
    expect(await sums(3, early)).toEqual([{ reason: 'request.invalid', seen: 3, listed: 1 }])
    await testbed.db.deleteFrom('refusals').where('user_id', '=', 3).execute()
  })

  it('count once when a relay sends a batch again, and when a worker repeats its work', async () => {
    const batch = aFlood(5, { user_id: 2, token_id: 2, reason: 'quota.user-empty' })
    const again = { relay_id: 'c', seq: 1, batch }
    await appendRefusals(testbed.redis, again)
    await appendRefusals(testbed.redis, again)
    const [entry] = await testbed.redis.xrange(keys.refusals(), '-', '+')
    await post()
    // As after a worker that died between its commit and the deletion.
    await testbed.redis.xadd(keys.refusals(), entry?.[0] ?? '', 'batch', entry?.[1][1] ?? '').catch(() => undefined)
    await post()

    expect((await sums(2)).find(({ reason }) => reason === 'quota.user-empty')).toMatchObject({ seen: 5 })
  })

  it('have a row that names code, reason and model, and cost nothing', async () => {
    const request = aRequest({
      at: AT + 60_000,
      model: 'no-such-model',
      is_known_model: false,
      reason: 'model.unknown',
      error_code: 'model_not_found',
    })
    await append({ requests: [request], counts: [{ minute: MINUTE + 60, user_id: 1, token_id: 1, reason: 'model.unknown', seen: 1 }] })
    await post()

    const row = (await rows()).at(-1)
    expect(row).toMatchObject({
      request_id: request.request_id,
      error_code: 'model_not_found',
      model_name: '',
      quota: 0,
      state: '',
      use_time: 0,
    })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ reason: 'model.unknown', status_code: 400, requested_model: 'no-such-model' })
  })

  it('are faults of a known model that no channel serves, and of no other', async () => {
    const over = { at: AT + 120_000, is_known_model: true, reason: 'channel.none', error_code: 'model_not_found' }
    const unknown = { ...over, is_known_model: false, reason: 'model.unknown' }
    const requests = [
      aRequest({ ...over, model: 'down' }),
      aRequest({ ...unknown, model: 'nonsense' }),
      aRequest({ ...unknown, is_known_model: true, model: 'up' }),
    ]
    await append({ requests, counts: [] })
    await post()

    const hours = await testbed.db.selectFrom('usage_hours').select(['model_name', 'faults']).where('faults', '>', 0).execute()
    expect(hours).toEqual([{ model_name: 'down', faults: 1 }])
  })

  it('leave the ledger sound', async () => {
    const limits = { shards: SHARDS, maxHoldAgeMs: 60_000, maxLagMs: 60_000 }
    const { is_sound, text } = await verifyLedger({ db: testbed.db, redis: testbed.redis, limits })

    expect(is_sound, text).toBe(true)
  })

  it('become as many rows as option LogRefusedPerMinute says', async () => {
    await setOption('6')
    await append(aFlood(50, { user_id: 3, token_id: 3 }))

    await post()

    // A third for each reason of a token.
    expect(await sums(3)).toEqual([{ reason: 'model.unpriced', seen: 50, listed: 2 }])
    await setOption('30')
  })
})

describe('many tokens', () => {
  it('share a limit of rows in a minute', () => {
    const batches = Array.from({ length: 200 }, (_, batch): RefusalBatch => {
      const requests = Array.from({ length: 50 }, (__, at) => aRequest({ token_id: batch * 50 + at }))
      return { requests, counts: [] }
    })

    expect(applyBatches(batches, { perMinute: 30, before: [] }).logs).toHaveLength(MAX_REFUSED_ROWS_PER_MINUTE)
  })
})
