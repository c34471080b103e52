import type { Budget } from '@tollgate/contracts/resources/budgets'
import { storeOption } from '@tollgate/testing/option-rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const PASSWORD = 'a-long-password'

describe('budgets that the operator sets for an organisation', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await storeOption(test.database.db, 'OrganisationFounders', 'all')
  })
  afterAll(() => test.stop())

  const data = async <T>(answer: ReturnType<Caller>): Promise<T> => {
    const { body } = await answer
    if (!body.success) throw new Error(body.message)
    return body.data as T // the declared shape
  }
  const aPerson = async (username: string): Promise<Caller> => {
    await root('POST', '/api/user/', { username, password: PASSWORD })
    return await test.signIn(username, PASSWORD)
  }
  const idOf = async (caller: Caller): Promise<number> => (await data<{ id: number }>(caller('GET', '/api/user/self'))).id
  const chosen =
    (caller: Caller, organisation: number): Caller =>
    (method, path, body) =>
      caller(method, path, body, { 'New-Api-User': String(organisation) })
  const set = (by: Caller, body: object) => data<{ id: number }>(by('POST', '/api/budgets/', { window: 'day', amount: 1000, ...body }))
  const shown = async (by: Caller) =>
    (await data<Budget[]>(by('GET', '/api/budgets/'))).map(({ scope, window, amount, is_own }) => [scope, window, amount, is_own])

  it('are read by its members, and changed and removed by none of them', async () => {
    const ann = await aPerson('ann')
    const { id: organisation } = await data<{ id: number }>(ann('POST', '/api/organisations/', { name: 'Acme' }))
    const acme = chosen(ann, organisation)
    const { id } = await set(root, { user_id: organisation })
    const { id: own } = await set(acme, { user_id: organisation, window: 'week' })

    expect(await shown(acme)).toEqual([
      ['user', 'day', 1000, false],
      ['user', 'week', 1000, true],
    ])
    for (const [method, body] of [
      ['PUT', { amount: 1_000_000 }],
      ['DELETE', undefined],
    ] as const)
      expect((await acme(method, `/api/budgets/${id}`, body)).body).toMatchObject({ success: false })
    expect((await acme('POST', '/api/budgets/', { user_id: organisation, window: 'day', amount: 1_000_000 })).body.success).toBe(false)
    await data(acme('PUT', `/api/budgets/${own}`, { amount: 2000 }))

    // A change of the operator makes it the operator's.
    await data(root('PUT', `/api/budgets/${own}`, { amount: 500 }))
    expect((await acme('DELETE', `/api/budgets/${own}`)).body.success).toBe(false)
    expect(await shown(acme)).toContainEqual(['user', 'week', 500, false])
  })

  it('hold for an account that becomes an organisation', async () => {
    const bob = await aPerson('bob')
    const account = await idOf(bob)
    const { id } = await set(root, { user_id: account })
    const converted = await data<{ id: number }>(bob('POST', '/api/organisations/convert', { name: 'Bob Ltd', project: 'Web' }))
    expect(converted.id).toBe(account)
    const company = chosen(await test.signIn('bob', PASSWORD), account)

    expect((await company('DELETE', `/api/budgets/${id}`)).body.success).toBe(false)
    expect(await shown(company)).toEqual([['user', 'day', 1000, false]])
  })

  it('of its group count beside those that it sets itself, and give way to those that the operator sets for it', async () => {
    await set(root, { group: 'default', amount: 300 })
    const cat = await aPerson('cat')
    const { id: organisation } = await data<{ id: number }>(cat('POST', '/api/organisations/', { name: 'Cat' }))
    const company = chosen(cat, organisation)
    const { id } = await set(company, { user_id: organisation, amount: 1_000_000_000 })

    expect(await shown(company)).toEqual([
      ['user', 'day', 1_000_000_000, true],
      ['group', 'day', 300, false],
    ])
    await data(root('PUT', `/api/budgets/${id}`, { amount: 9000 }))
    expect(await shown(company)).toEqual([['user', 'day', 9000, false]])
  })
})
