import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { expect, vi } from 'vitest'
import type { Seeded } from './seed.ts'
import type { Stack } from './stack.ts'
import type { Json, TaskVendor } from './task-vendor.ts'

type Parts = { readonly stack: Stack; readonly relay: string; readonly vendor: TaskVendor; readonly user: Seeded }

/** A client of tasks, and what Postgres holds of them. The parts are read at each call: tests start them later. */
export function createTaskClient(of: () => Parts) {
  async function call(
    method: string,
    path: string,
    body?: Json,
    key = of().user.key,
  ): Promise<{ status: number; body: Json; headers: Headers }> {
    const answer = await fetch(of().relay + path, {
      method,
      headers: { authorization: `Bearer sk-${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : (JSON.parse(text) as Json) }
  }
  const submit = async (path: string, body: Json): Promise<string> => {
    const answer = await call('POST', path, body)
    expect(answer.body).toMatchObject({ code: 1 })
    return String(answer.body['result'])
  }
  const rowOf = (task_id: string) =>
    of().stack.database.db.selectFrom('tasks').selectAll().where('task_id', '=', task_id).executeTakeFirstOrThrow()
  const fetched = async (task_id: string): Promise<Json> => (await call('GET', `/mj/task/${task_id}/fetch`)).body
  /** The vendor's state from now on; its report makes the gateway ask at once. */
  async function report(task_id: string, says: Json): Promise<void> {
    const { vendor_task_id } = await rowOf(task_id)
    const { tasks } = of().vendor
    tasks.set(vendor_task_id, { ...tasks.get(vendor_task_id), ...says })
    await wakeTasks(of().stack.database.db, [task_id], 0)
  }
  const ended = async (task_id: string) =>
    await vi.waitUntil(
      async () => {
        const row = await rowOf(task_id)
        return row.is_posted && ['success', 'failure', 'expired'].includes(row.state) ? row : undefined
      },
      { timeout: 10_000, interval: 50 },
    )
  /** Waits until every task is charged. */
  const posted = async (timeout = 10_000): Promise<void> => {
    const unposted = () => of().stack.database.db.selectFrom('tasks').select('id').where('is_posted', '=', false).execute()
    await vi.waitUntil(async () => (await unposted()).length === 0, { timeout })
  }
  /** The remaining quota, once every submission is posted. */
  const money = async ({ userId, tokenId } = of().user) => {
    const { db } = of().stack.database
    await posted()
    const account = await db.selectFrom('users').select(['credited', 'spent']).where('id', '=', userId).executeTakeFirstOrThrow()
    const token = await db.selectFrom('tokens').select(['granted', 'charged']).where('id', '=', tokenId).executeTakeFirstOrThrow()
    return { user: account.credited - account.spent, token: token.granted - token.charged }
  }
  const succeed = async (task_id: string) => {
    await report(task_id, {
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: `${of().vendor.url}/${task_id}.png`,
      promptEn: 'a cat',
      buttons: [{ customId: 'MJ::JOB::upsample::1::x' }],
    })
    return await ended(task_id)
  }
  return { call, submit, rowOf, fetched, report, ended, posted, money, succeed }
}
