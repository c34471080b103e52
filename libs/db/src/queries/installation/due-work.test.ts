import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findDueWork } from './due-work.ts'

const NOW = 1_800_000_000_000
const NOW_S = NOW / 1000
const NOTHING = {
  corrections: false,
  mails: false,
  webhooks: false,
  events: false,
  feeds: false,
  tasks: false,
  copies: false,
  priceChanges: false,
  deferred: false,
  payments: false,
}

describe('the work that is due', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    await sql`truncate balance_corrections, deliveries, tasks, task_polls, media_copies, price_changes, batches, deferred_requests, payment_orders cascade`.execute(
      test.db,
    )
    await sql`insert into tasks (id, task_id, family, user_id, request_id, state, submit_time, deadline)
      values (1, 'task-1', 'suno', 1, 'r', 'submitted', ${NOW}, ${NOW})`.execute(test.db)
  })

  const delivery = (state: string, due_at: number) =>
    sql`insert into deliveries (channel, target, template, language, details, user_id, state, created_at, due_at)
      values ('mail', 'a@example.org', 'test', 'en', '{}', 1, ${state}, 0, ${due_at})`
  const poll = (next: number) => sql`insert into task_polls (task, channel_id, next_poll_at) values (1, 1, ${next})`
  const copy = (next: number) => sql`insert into media_copies (task, next_at) values (1, ${next})`
  const change = (state: string, at: number) =>
    sql`insert into price_changes (state, at, patch, creator_id, created_by, creator_role, ip, created_at)
      values (${state}, ${at}, '{}', 1, 'root', 100, '', 0)`
  const batch = (status: string) =>
    sql`insert into batches (id, user_id, token_id, ip, endpoint, input_file_id, status, created_at, expires_at)
      values ('b', 1, 1, '', '/v1/x', 'f', ${status}, 0, 0)`
  const deferred = (state: string) =>
    sql`insert into deferred_requests (id, user_id, token_id, ip, endpoint, body, state, next_at, created_at, expires_at)
      values ('d', 1, 1, '', '/v1/x', '{}', ${state}, 0, 0, 0)`

  const order = (status: string, check_at: number) =>
    sql`insert into payment_orders (trade_no, user_id, provider, method, amount, quota, money, currency, places, status, created_at, check_at)
      values ('o', 1, 'epay', '', 1, 1, 1, 'USD', 2, ${status}, 0, ${check_at})`

  const correction = sql`insert into balance_corrections (shard, subject, subject_id, n) values (1, 'user', 1, 1)`

  it.each([
    ['a balance correction', correction, { corrections: true }],
    ['a delivery whose time has come', delivery('waiting', NOW_S), { mails: true }],
    ['a delivery that waits for its next attempt', delivery('waiting', NOW_S + 1), {}],
    ['a delivery that was sent', delivery('sent', 0), {}],
    ['a task to ask about', poll(NOW), { tasks: true }],
    ['a task to ask about later', poll(NOW + 1), {}],
    ['a video to copy', copy(NOW), { copies: true }],
    ['a video to copy later', copy(NOW + 1), {}],
    ['a price change whose time has come', change('waiting', NOW_S), { priceChanges: true }],
    ['a price change of tomorrow', change('waiting', NOW_S + 86_400), {}],
    ['a price change that was applied', change('applied', 0), {}],
    ['a new batch', batch('validating'), { deferred: true }],
    ['a batch with lines to send', batch('in_progress'), { deferred: true }],
    ['a batch that is being cancelled', batch('cancelling'), { deferred: true }],
    ['a batch that has ended', batch('completed'), {}],
    ['a request to be sent later', deferred('pending'), { deferred: true }],
    ['a request that is being sent', deferred('running'), { deferred: true }],
    ['a request that has ended', deferred('ended'), {}],
    ['an order to ask the payment provider about', order('pending', NOW_S), { payments: true }],
    ['an order to ask about later', order('pending', NOW_S + 1), {}],
    ['an order that was paid', order('paid', 0), {}],
  ])('includes or leaves out %s', async (_name, insert, expected) => {
    expect(await findDueWork(test.db, NOW)).toEqual(NOTHING)
    await insert.execute(test.db)

    expect(await findDueWork(test.db, NOW)).toEqual({ ...NOTHING, ...expected })
  })
})
