import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PricePatch } from '@tollgate/contracts/resources/prices'
import { createPriceChange, finishPriceChange, listPriceChanges } from '@tollgate/db/queries/prices/price-changes'
import { listPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { storeOption, storedOption } from '@tollgate/testing/option-rows'
import { applyPriceChanges } from './apply-price-changes.ts'

const NOW = 1_790_000_000

describe('scheduled price changes', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    await save('ModelRatio', '{"a":1,"b":2}')
  })
  afterAll(() => test.drop())

  const save = (key: string, value: string) => storeOption(test.db, key, value)
  const ratios = () => storedOption(test.db, 'ModelRatio')
  const schedule = (at: number, patch: PricePatch) =>
    test.db
      .transaction()
      .execute((tx) =>
        createPriceChange(tx, { at, patch, created_at: NOW - 100, created_by: 'root', creator_id: 1, creator_role: 100, ip: '192.0.2.1' }),
      )
  const apply = (now: number) =>
    applyPriceChanges({ db: test.db, now: () => now * 1000, log: { info: () => undefined, error: () => undefined } })(
      {},
      { signal: new AbortController().signal, attempt: 1 },
    )

  it('takes effect at its time, exactly once over two workers, and keeps entries that changed meanwhile', async () => {
    const change = await schedule(NOW + 60, { ModelRatio: { a: 5, c: 3 } })
    const version = await getSnapshotVersion(test.db)
    expect(await apply(NOW + 59)).toEqual({ applied: 0, failed: 0 })
    await save('ModelRatio', '{"a":1,"b":2.5}')

    const runs = await Promise.all([apply(NOW + 60), apply(NOW + 60), apply(NOW + 61)])

    expect(runs.reduce((sum, { applied }) => sum + applied, 0)).toBe(1)
    expect(await ratios()).toEqual({ a: 5, b: 2.5, c: 3 })
    expect(await getSnapshotVersion(test.db)).toBe(version + 1)
    const [shown] = await listPriceChanges(test.db, 5)
    expect(shown).toMatchObject({ id: change.id, state: 'applied', price_version: version + 1 })
    const audit = await test.db.selectFrom('audit_entries').selectAll().where('resource_id', '=', 'ModelRatio').execute()
    expect(audit).toMatchObject([{ actor_id: 1, actor_name: 'root', action: 'update', ip: '192.0.2.1' }])
    expect(JSON.stringify(audit[0]?.changes)).toContain(String(change.id))
    expect(await listPriceHistory(test.db, 'a', 5)).toEqual([
      { at: NOW + 60, option: 'ModelRatio', cause: 'schedule', by_name: 'root', before: 1, after: 5 },
    ])
  })

  it('applies changes in the order of their times', async () => {
    await schedule(NOW + 200, { ModelRatio: { a: 8 } })
    await schedule(NOW + 100, { ModelRatio: { a: 7, b: null } })
    expect(await apply(NOW + 300)).toEqual({ applied: 2, failed: 0 })
    expect(await ratios()).toEqual({ a: 8, c: 3 })
  })

  it('does not apply a cancelled change', async () => {
    const { id } = await schedule(NOW + 400, { ModelRatio: { a: 99 } })
    const cancel = () => test.db.transaction().execute((tx) => finishPriceChange(tx, id, { state: 'cancelled', finished_at: NOW }))
    expect(await cancel()).toBe(true)
    expect(await cancel()).toBe(false)
    expect(await apply(NOW + 500)).toEqual({ applied: 0, failed: 0 })
    expect(await ratios()).toEqual({ a: 8, c: 3 })
  })

  it('refuses one that would leave an option without a valid value, as a whole, and goes on with the next', async () => {
    await schedule(NOW + 600, { ModelRatio: { a: -1 }, CacheRatio: { a: 0.5 } })
    await schedule(NOW + 601, { CacheRatio: { a: 0.25 } })
    expect(await apply(NOW + 700)).toEqual({ applied: 1, failed: 1 })
    expect(await ratios()).toEqual({ a: 8, c: 3 })
    expect((await listPriceChanges(test.db, 2)).find(({ state }) => state === 'failed')).toMatchObject({ message: 'ModelRatio' })
  })
})
