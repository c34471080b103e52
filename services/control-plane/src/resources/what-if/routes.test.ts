import type { WhatIfPresent } from '@tollgate/contracts/resources/what-if'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

describe('replays of recorded requests', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  const order = async (body: object): Promise<number> => ((await root('POST', '/api/what_if', body)).body.data as { id: number }).id // the contract's shape

  it('are ordered for the worker by administrators, listed, and cancelled once', async () => {
    expect((await test.guest('GET', '/api/what_if')).status).toBe(401)
    const candidate = { channels: [{ id: 1, is_enabled: false }], strategies: { '*': 'price' } }

    const first = await order({ hours: 24, candidate })
    const second = await order({ hours: 1, candidate: { channels: [] } })

    expect((await root('GET', '/api/what_if')).body.data).toMatchObject([
      { id: second, state: 'waiting' },
      { id: first, state: 'cancelled', candidate },
    ])
    expect((await root('GET', `/api/what_if/${second}`)).body.data).toMatchObject({ id: second, result: null, total: 0, done: 0 })
    expect((await root('DELETE', `/api/what_if/${second}`)).body.success).toBe(true)
    expect((await root('DELETE', `/api/what_if/${second}`)).body).toMatchObject({ message: '已经结束，不能再取消' })
    expect((await root('GET', '/api/what_if/99')).body.success).toBe(false)
  })

  it('refuse what could not be saved, and too long a time', async () => {
    const withLoop = { channels: [], fallbacks: { '*': { a: ['a'] } } }
    const withPrice = { channels: [], prices: [{ model: 'm', model_ratio: -1 }] }

    expect((await root('POST', '/api/what_if', { hours: 1, candidate: withLoop })).body.success).toBe(false)
    expect((await root('POST', '/api/what_if', { hours: 1, candidate: withPrice })).body.success).toBe(false)
    expect((await root('POST', '/api/what_if', { hours: 721, candidate: { channels: [] } })).body.success).toBe(false)
  })

  it('have the configuration of now to begin with', async () => {
    await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'm', weight: 7, setting: '{"cost_ratio":0.4}' })

    const { body } = await root('GET', '/api/what_if_present')

    const present = body.data as WhatIfPresent // the contract's shape
    expect(present.channels).toMatchObject([{ name: 'c', is_enabled: true, weight: 7, cost_ratio: 0.4 }])
    expect(present).toMatchObject({ strategies: {}, fallbacks: {}, models: ['m'] })
    expect(present.groups).toContain('default')
  })
})
