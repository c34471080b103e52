import { readEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import { costReader } from '@tollgate/domain/channel-health/effective-cost'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordedRow } from '../../test/recorded-rows.ts'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { measureCosts } from './measure-costs.ts'

let testbed: Testbed
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())

it('measures the cost of useful tokens, which relays and the channel list read', async () => {
  const at = Math.floor(Date.now() / 1000)
  const row = (nth: number, id: number) => recordedRow({ at: at - 60, nth, channels: [{ id, weight: 0 }], model: 'm', model_ratio: 1 })
  const rows = [...Array.from({ length: 25 }, (_, nth) => row(nth, 1)), row(90, 2)]
  await testbed.db.insertInto('logs').values(rows).execute()
  const run = () =>
    measureCosts({ db: testbed.db, redis: testbed.redis, now: () => at * 1000 })({}, { signal: new AbortController().signal, attempt: 1 })

  expect(await run()).toEqual({ rows: 2 })
  const costs = await readEffectiveCosts(testbed.redis)
  const costOf = costReader(costs)

  // 1 600 quota are 0.0032 dollars for 1 000 tokens.
  expect(costs).toMatchObject({ at, hours: 6, models: { m: expect.closeTo(3.2) } })
  expect(costOf(1, 'm', 0.5)).toEqual({ usd: expect.closeTo(1.6), is_measured: true })
  expect(costOf(2, 'm', 1)).toEqual({ usd: expect.closeTo(3.2), is_measured: false })
  expect(costOf(3, 'unknown', 0.7)).toEqual({ usd: 0.7, is_measured: false })
})
