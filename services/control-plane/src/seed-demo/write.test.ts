import { createSealer } from '@tollgate/config/sealing'
import { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import {
  compareChannels,
  compareCredited,
  compareKeys,
  compareKinds,
  compareLogged,
  compareSpent,
  compareTasks,
  compareUnpostedTasks,
} from '@tollgate/db/queries/ledger/verify'
import { reproduceChoice } from '@tollgate/domain/channel-choice/reproduce'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoTraffic, seededRandom } from './traffic.ts'
import { writeDemo } from './write.ts'

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64url')}`
const NOW = Math.floor(Date.now() / 1000)

describe('demo data', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
    const sealers = { channels: createSealer(KEY), options: createSealer(KEY) }
    const requests = [...demoTraffic({ now: NOW, timezone: 0, perDay: 40, random: seededRandom(1) })]
    await database.db.transaction().execute((tx) => writeDemo(tx, { sealers, shards: 4, now: NOW }, requests, 'password'))
  })
  afterAll(() => database.drop())

  it('passes the checks of the ledger', async () => {
    const { db } = database
    const found = await Promise.all(
      [compareCredited, compareSpent, compareChannels, compareLogged, compareTasks, () => compareKeys(db, NOW)].map((one) => one(db)),
    )

    expect(found.map(({ differences }) => differences)).toEqual([0, 0, 0, 0, 0, 0])
    expect(Math.min(...found.map(({ compared }) => compared))).toBeGreaterThan(0)
    expect(await compareKinds(db, 0)).toMatchObject({ differences: 0 })
    expect(await compareUnpostedTasks(db, Date.now())).toMatchObject({ compared: 0, differences: 0 })
  })

  it('explains every row, with the charge that its usage and quote give', async () => {
    const rows = await database.db.selectFrom('logs').select(['type', 'quota', 'usage', 'quote', 'explanation', 'state']).execute()
    const charges = rows.map(({ quota, usage, quote }) => chargeOf(Quote.parse(quote), Usage.parse(usage)).charge - quota)

    expect(new Set(charges)).toEqual(new Set([0]))
    expect(new Set(rows.map(({ type, state }) => `${type} ${state}`))).toEqual(new Set(['2 settled', '5 released']))
    const courses = rows.map(({ explanation }) => StoredExplanation.parse(explanation))
    expect(courses.every(({ steps }) => steps.every(({ started_ms, ended_ms }) => started_ms <= ended_ms))).toBe(true)
    expect(courses.every(({ candidates }) => candidates.filter(({ result }) => result === 'chosen').length === 1)).toBe(true)
  })

  it('records choices that lead to the channels of the requests', async () => {
    const rows = await database.db.selectFrom('logs').select('explanation').execute()
    const kinds = rows.map(({ explanation }) => reproduceChoice(StoredExplanation.parse(explanation)).kind)

    expect(new Set(kinds)).toEqual(new Set(['exact']))
  })

  it('leaves no row in the default partition, of which the health page would warn', async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from logs_default`.execute(database.db)

    expect(rows).toEqual([{ count: 0 }])
  })
})
