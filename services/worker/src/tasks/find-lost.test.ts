import { describe, expect, it } from 'vitest'
import type { DueTask } from '@tollgate/db/queries/tasks/tasks'
import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { TaskReport } from '@tollgate/providers/tasks/task-family'
import { searchLost } from './find-lost.ts'

const SUBMITTED = 1_800_000_000_000
// Only the fields that the search reads.
const lost = (code: number) => ({ submit_time: SUBMITTED, code }) as unknown as DueTask
const report: TaskReport = { vendor_task_id: 'v', state: 'queued', status: 'QUEUED', progress: '10%' }
const calls = [
  { method: 'GET', path: '/a' },
  { method: 'GET', path: '/b' },
] as const
const search = (code: number, seconds: number, answers: readonly (readonly TaskReport[] | undefined)[]) =>
  searchLost({
    row: lost(code),
    now: SUBMITTED + seconds * 1000,
    calls,
    ask: async ({ path }) => answers[path === '/a' ? 0 : 1],
  })

describe('the search for a task without an answer', () => {
  it.each([
    ['in the second list', 500, 5, [[], [report]], { kind: 'found', reports: [report] }],
    ['not yet, after an answer', 500, 59, [[], []], { kind: 'unclear', hasFailed: false }],
    ['no more, after an answer', 500, 60, [[], []], { kind: 'ended', fail_reason: TASK_FAILURES.unclear }],
    ['not yet, after a broken connection', 0, 179, [[], []], { kind: 'unclear', hasFailed: false }],
    ['no more, after a broken connection', 0, 180, [[], []], { kind: 'ended', fail_reason: TASK_FAILURES.unclear }],
    ['never, while a list cannot be read', 500, 9000, [[], undefined], { kind: 'unclear', hasFailed: true }],
  ])('finds it %s', async (_what, code, seconds, answers, found) => {
    expect(await search(code, seconds, answers)).toEqual(found)
  })
})
