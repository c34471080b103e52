import { defaultText } from '@tollgate/contracts/options/registry'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { knownPriceChanges } from './known-changes.ts'

const FIRST_OF_DECEMBER = Date.UTC(2026, 11, 1) / 1000
let test: TestApp
let root: Caller
beforeAll(async () => {
  test = await createTestApp()
  root = await test.setUp()
})
afterAll(() => test.stop())

const knownOn = (day: string, model = 'gemini-4-argon') => knownPriceChanges({ ...test.deps, now: () => Date.parse(day) }, model)
const doubled = [
  { line: 'input', before: 2, after: 4 },
  { line: 'output', before: 10, after: 20 },
  { line: 'cache-read', before: 0.1, after: 0.2 },
]

it('names a price that its maker changes within 31 days', async () => {
  expect(await knownOn('2026-11-28')).toEqual([{ at: FIRST_OF_DECEMBER, origin: 'catalogue', lines: doubled }])
  expect(await knownOn('2026-10-31')).toHaveLength(1)
  expect(await knownOn('2026-10-30')).toEqual([])
  expect(await knownOn('2026-12-01')).toEqual([])
  expect(await knownOn('2026-11-28', 'a-model-without-maker')).toEqual([])
})

it('names a change of the maker once when it is scheduled, and both when another price is scheduled', async () => {
  const at = FIRST_OF_DECEMBER + 3600
  const schedule = async (ratio: number) => {
    const ModelRatio = JSON.stringify({ ...(JSON.parse(defaultText('ModelRatio')) as object), 'gemini-4-argon': ratio })
    const { body } = await root('POST', '/api/option/price_change', { prices: { ModelRatio }, at: Math.floor(Date.now() / 1000) + 60 })
    const { id } = body.data as { id: number } // the contract's shape
    await test.database.db.updateTable('price_changes').set({ at }).where('id', '=', id).execute()
    return () => root('DELETE', `/api/option/price_change/${id}`)
  }
  const cancel = await schedule(2)
  expect(await knownOn('2026-11-28')).toMatchObject([
    { at, origin: 'schedule', lines: [...doubled, { line: 'audio-in' }, { line: 'audio-out' }] },
  ])
  await cancel()
  await schedule(3)

  expect(await knownOn('2026-11-28')).toMatchObject([
    { at: FIRST_OF_DECEMBER, origin: 'catalogue', lines: doubled },
    { at, origin: 'schedule', lines: [{ line: 'input', before: 2, after: 6 }, {}, {}, {}, {}] },
  ])
})
