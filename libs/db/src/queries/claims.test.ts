import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../connect.ts'
import { claimDeferred, claimResponses } from './deferred/deferred-requests.ts'
import { claimDeliveries } from './deliveries/deliveries.ts'
import { claimMediaCopies } from './tasks/media-copies.ts'
import { claimDueTasks } from './tasks/tasks.ts'

const NOW = 1_800_000_000
const ROWS = 6
const LIMIT = 2

describe('a claim of due rows', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    await sql`
      with numbers as (select n from generate_series(1, ${ROWS}) n),
      requests as (
        insert into deferred_requests (id, batch_id, user_id, token_id, ip, endpoint, body, state, next_at, created_at, expires_at)
        select 'd' || batch || n, batch, 1, 1, '', '/v1/x', '{}', 'pending', 0, 0, ${NOW + 1000} from numbers, (values ('b'), ('')) as batches (batch)
      ), mails as (
        insert into deliveries (channel, target, template, language, details, user_id, state, created_at, due_at)
        select 'mail', 'a@example.org', 'test', 'en', '{}', n, 'waiting', 0, 0 from numbers
      ), some_tasks as (
        insert into tasks (id, task_id, family, user_id, request_id, state, submit_time, deadline)
        select n, 'task-' || n, 'suno', 1, 'r' || n, 'submitted', 0, 0 from numbers
      ), polls as (
        insert into task_polls (task, channel_id, next_poll_at) select n, 1, 0 from numbers
      )
      insert into media_copies (task, next_at) select n, 0 from numbers`.execute(test.db)
  })
  afterAll(() => test.drop())

  it.each<[string, (db: Db) => Promise<unknown[]>]>([
    ['requests of a batch', (db) => claimDeferred(db, 'b', { now: NOW, lease_until: NOW + 60, limit: LIMIT })],
    [
      'background responses',
      (db) => claimResponses(db, { now: NOW, lease_until: NOW + 60, limit: LIMIT, held: new Map(), per_user: ROWS }),
    ],
    ['deliveries', (db) => claimDeliveries(db, { channel: 'mail', now: NOW, limit: LIMIT, except: [], leaseSeconds: 60 })],
    ['tasks', (db) => claimDueTasks(db, { now: NOW * 1000, lease_ms: 60_000, limit: LIMIT, busy: [] })],
    ['videos to copy', (db) => claimMediaCopies(db, { now: NOW * 1000, lease_ms: 60_000, limit: LIMIT })],
  ])('takes no more %s than its limit, whatever the plan', async (_name, claim) => {
    const claimed = await test.db.connection().execute(async (session) => {
      // Leaves a nested loop, which reads its inner side again for every outer row.
      for (const method of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'])
        await sql.raw(`set enable_${method} = off`).execute(session)
      return await claim(session)
    })

    expect(claimed).toHaveLength(LIMIT)
  })
})
