import type { PricePast } from '@tollgate/contracts/resources/prices'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

describe('price replays and scheduled changes', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  const later = (): number => Math.floor(Date.now() / 1000) + 3600

  it('are for root only', async () => {
    expect((await test.guest('GET', '/api/option/price_replay')).status).toBe(401)
    expect((await test.guest('POST', '/api/option/price_change', { prices: {}, at: later() })).status).toBe(401)
  })

  it('orders a replay of the last days for the worker, and cancels it once', async () => {
    expect((await root('GET', '/api/option/price_replay')).body.data).toBeNull()
    const { body } = await root('POST', '/api/option/price_replay', { prices: { ModelRatio: '{"m":1}' }, days: 7 })
    const { id, since, until } = body.data as { id: number; since: number; until: number } // the declared shape

    expect(until - since).toBe(7 * 86_400)
    expect((await root('GET', '/api/option/price_replay')).body.data).toMatchObject({ id, state: 'waiting', done: 0, result: null })
    expect((await root('DELETE', `/api/option/price_replay/${id}`)).body.success).toBe(true)
    expect((await root('DELETE', `/api/option/price_replay/${id}`)).body).toMatchObject({ message: '已经结束，不能再取消' })
  })

  it('refuses prices that could not be saved', async () => {
    const bad = { prices: { ModelRatio: '{"m":-1}' }, days: 7 }
    expect((await root('POST', '/api/option/price_replay', bad)).body).toMatchObject({
      success: false,
      message: expect.stringContaining('m'),
    })
    const other = { prices: { SystemName: 'x' }, at: later() }
    expect((await root('POST', '/api/option/price_change', other)).body.success).toBe(false)
  })

  it('schedules the entries that differ, and lists and cancels the change, with audit entries', async () => {
    await root('PUT', '/api/option/', { key: 'ModelRatio', value: '{"a":1,"b":2}' })
    const prices = { ModelRatio: '{"a":1,"b":3,"c":4}' }
    const { body } = await root('POST', '/api/option/price_change', { prices, at: later() })
    const { id } = body.data as { id: number } // as above

    expect(body.data).toMatchObject({ state: 'waiting', patch: { ModelRatio: { b: 3, c: 4 } }, created_by: 'root' })
    expect((await root('GET', '/api/option/price_change')).body.data).toMatchObject([{ id, state: 'waiting' }])
    expect((await root('DELETE', `/api/option/price_change/${id}`)).body.success).toBe(true)
    expect((await root('DELETE', `/api/option/price_change/${id}`)).body.success).toBe(false)
    expect((await root('GET', '/api/option/price_change')).body.data).toMatchObject([{ id, state: 'cancelled' }])
    const audit = (await root('GET', `/api/audit/?resource=option&resource_id=price_change/${id}`)).body.data
    expect(audit).toMatchObject({ items: [{ action: 'cancel' }, { action: 'schedule' }] })
  })

  it('refuses a change of nothing, and one in the past', async () => {
    const prices = { ModelRatio: '{ "a": 1, "b": 2 }' }
    expect((await root('POST', '/api/option/price_change', { prices, at: later() })).body).toMatchObject({
      message: '价格没有变化，不需要定时',
    })
    expect((await root('POST', '/api/option/price_change', { prices: { ModelRatio: '{}' }, at: 1 })).body).toMatchObject({
      message: '生效时间必须晚于现在',
    })
  })

  it('tells what changed the price of a model, newest first, and nothing of other models', async () => {
    const save = (key: string, value: string) => root('PUT', '/api/option/', { key, value })
    const past = async (name: string) => {
      const { data } = (await root('GET', `/api/option/price_history?name=${name}`)).body
      const changes = data as PricePast[] // the declared shape
      expect(changes.every(({ cause, by_name, at }) => cause === 'edit' && by_name === 'root' && at > 0)).toBe(true)
      return changes.flatMap(({ edits }) => edits)
    }
    await save('ModelRatio', '{"a":1,"b":2}')
    await save('ModelRatio', '{"a":1.5,"b":2}')
    await save('PriceCards', '{"a":[{"above":1000,"model_ratio":3}]}')
    await save('ModelRatio', '{"b":2}')

    expect((await past('a')).slice(0, 3)).toEqual([
      { option: 'ModelRatio', before: 1.5, after: null },
      { option: 'PriceCards', before: null, after: [{ above: 1000, model_ratio: 3 }] },
      { option: 'ModelRatio', before: 1, after: 1.5 },
    ])
    expect((await past('b')).map(({ after }) => after)).toEqual([2])
    expect(await past('never-priced')).toEqual([])
  })

  it('puts back what a change set, unless it was changed again, as a change of its own', async () => {
    const save = (key: string, value: string) => root('PUT', '/api/option/', { key, value })
    await save('ModelRatio', '{"u":1,"v":1}')
    await save('ModelRatio', '{"u":5,"v":5}')
    // Both saves in one second of the past.
    await test.database.db.updateTable('price_history').set({ at: 1_700_000_000 }).execute()
    const [latest] = (await root('GET', '/api/option/price_history?name=u')).body.data as PricePast[] // the declared shape
    await save('ModelRatio', '{"u":5,"v":6}')
    const change = { at: latest?.at, cause: 'edit', by_name: 'root' }
    const { body } = await root('POST', '/api/option/price_history/undo', { ...change, name: 'u' })

    expect(body.data).toMatchObject({ state: 'waiting', patch: { ModelRatio: { u: null } }, created_by: 'root' })
    expect((await root('POST', '/api/option/price_history/undo', { ...change, name: 'v' })).body).toMatchObject({ success: false })
    expect((await root('POST', '/api/option/price_history/undo', { ...change, at: 1 })).body).toMatchObject({ success: false })
  })

  it('orders a comparison with the catalogue, of which there is no result yet', async () => {
    expect((await root('GET', '/api/option/price_refresh')).body.data).toBeNull()
    expect((await root('POST', '/api/option/price_refresh')).body.success).toBe(true)
    expect((await test.guest('POST', '/api/option/price_refresh')).status).toBe(401)
  })
})
