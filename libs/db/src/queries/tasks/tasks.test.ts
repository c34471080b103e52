import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimDueTasks, lockTask, postponeTasks, updateTask, wakeTasks, type DueTask } from './tasks.ts'

const NOW = 1_800_000_000_000
const LEASE_MS = 60_000

describe('the times at which a task is asked about', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    await test.db.deleteFrom('tasks').execute()
    const { id } = await test.db
      .insertInto('tasks')
      .values({
        task_id: 'task-1',
        family: 'suno',
        user_id: 1,
        request_id: 'request-1',
        state: 'submitted',
        submit_time: NOW,
        deadline: NOW,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await test.db.insertInto('task_polls').values({ task: id, channel_id: 1, next_poll_at: NOW }).execute()
  })

  const claim = (now: number): Promise<DueTask[]> => claimDueTasks(test.db, { now, lease_ms: LEASE_MS, limit: 10, busy: [] })
  const ask = async (): Promise<DueTask> => {
    const [claimed] = await claim(NOW)
    if (claimed === undefined) throw new Error('the task is not due')
    return claimed
  }

  it('claims a due task once, and again when its lease is over', async () => {
    await ask()
    expect(await claim(NOW + LEASE_MS - 1)).toEqual([])
    expect(await claim(NOW + LEASE_MS)).toHaveLength(1)
  })

  it('keeps a task due that was woken while its vendor was being asked', async () => {
    const { id } = await ask()
    await wakeTasks(test.db, ['task-1'], NOW + 1)

    await postponeTasks(test.db, [id], { next_poll_at: NOW + 20_000, failed: true, now: NOW + 2 })
    expect(await claim(NOW + 2)).toMatchObject([{ poll_failures: 1 }])
  })

  it('does so when the answer changed the task', async () => {
    const { id } = await ask()
    await wakeTasks(test.db, ['task-1'], NOW + 1)
    await test.db.transaction().execute(async (tx) => {
      const row = await lockTask(tx, id)
      if (row === undefined) throw new Error('the task is gone')
      const change = { patch: { state: 'queued', status: 'QUEUED' }, refund: 0, source: 'poll' } as const
      await updateTask(tx, { row, ...change, next_poll_at: NOW + 20_000, now: NOW + 2 })
    })

    expect(await claim(NOW + 2)).toMatchObject([{ state: 'queued', poll_failures: 0 }])
  })

  it('asks no more about a task that has ended', async () => {
    const { id } = await ask()
    await test.db.transaction().execute(async (tx) => {
      const row = await lockTask(tx, id)
      if (row === undefined) throw new Error('the task is gone')
      await updateTask(tx, { row, patch: { state: 'success' }, refund: 0, source: 'poll', now: NOW + 2 })
    })

    expect(await claim(NOW + 10 * LEASE_MS)).toEqual([])
  })
})
