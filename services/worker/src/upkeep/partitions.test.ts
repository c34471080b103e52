import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { listPartitionSums } from '@tollgate/db/queries/installation/database-facts'
import { listPartitions } from '@tollgate/db/queries/logs/partitions'
import { keepPartitions, logPartitions, partitionImportedMonths } from './partitions.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

const NOW = new Date('2026-12-05T10:00:00Z')
const at = (iso: string): number => Date.parse(iso) / 1000

describe('partition upkeep', () => {
  it('creates upcoming months and days, moves rows that came too early, and does nothing the second time', async () => {
    await test.db
      .insertInto('logs')
      .values([
        { created_at: at('2026-12-31T23:59:59Z'), type: 2 },
        { created_at: at('2027-01-01T00:00:00Z'), type: 2 },
      ])
      .execute()

    const [first, second] = await Promise.all([keepPartitions(test.db, NOW), keepPartitions(test.db, NOW)])

    expect([...first.created, ...second.created].toSorted()).toEqual([
      'logs_202612',
      'logs_202701',
      'logs_202702',
      'logs_202703',
      ...['04', '05', '06', '07', '08', '09', '10', '11', '12'].map((day) => `usage_keys_202612${day}`),
    ])
    expect(await keepPartitions(test.db, NOW)).toEqual({ created: [], dropped: [] })
    const counts = await test.db
      .selectFrom('logs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(counts.count).toBe(2)
    expect(await test.db.deleteFrom('logs').where('created_at', '=', at('2027-01-01T00:00:00Z')).executeTakeFirst()).toMatchObject({
      numDeletedRows: 1n,
    })
  })

  it('gives months that are over, as an import brings them, partitions of their own', async () => {
    await test.db
      .insertInto('logs')
      .values(['2026-03-07T00:00:00Z', '2026-03-31T23:59:59Z', '2026-11-30T00:00:00Z'].map((time) => ({ created_at: at(time), type: 2 })))
      .execute()

    expect(await partitionImportedMonths(test.db, NOW)).toEqual(['logs_202603', 'logs_202611'])
    expect(await partitionImportedMonths(test.db, NOW)).toEqual([])
    expect((await listPartitionSums(test.db)).filter(({ has_strays }) => has_strays)).toEqual([])
  })

  it('drops usage keys after 35 days, and never a log row', async () => {
    await keepPartitions(test.db, NOW)

    const result = await keepPartitions(test.db, new Date('2027-01-11T10:00:00Z'))

    expect(result.dropped).toEqual(['usage_keys_20261204', 'usage_keys_20261205', 'usage_keys_20261206'])
    expect(await listPartitions(test.db, 'logs')).toContain('logs_202612')
  })

  it('divides months in UTC, across the end of a year', () => {
    expect(
      logPartitions(NOW)
        .map(({ name, from, to }) => [name, from, to])
        .slice(0, 2),
    ).toEqual([
      ['logs_202612', at('2026-12-01T00:00:00Z'), at('2027-01-01T00:00:00Z')],
      ['logs_202701', at('2027-01-01T00:00:00Z'), at('2027-02-01T00:00:00Z')],
    ])
  })
})
