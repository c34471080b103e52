import { describe, expect, it } from 'vitest'
import type { TaskRow } from '@tollgate/db/queries/tasks/tasks'
import type { TaskReport } from '@tollgate/providers/tasks/task-family'
import { patchOf } from './apply-report.ts'

// Only the fields that a report has.
const row = {
  status: 'IN_PROGRESS',
  progress: '30%',
  prompt: 'a cat',
  properties: { state: '', buttons: [{ label: 'U1', customId: 'x' }], customId: '' },
  data: { id: '1', clips: [{ url: 'u', title: 't' }] },
  media: [],
} as unknown as TaskRow
const report: TaskReport = {
  vendor_task_id: '1',
  state: 'in_progress',
  status: 'IN_PROGRESS',
  progress: '30%',
  properties: { customId: '', buttons: [{ customId: 'x', label: 'U1' }], state: '' },
  data: { clips: [{ title: 't', url: 'u' }], id: '1' },
  media: [],
}

describe('what a report changes', () => {
  it.each<[string, Partial<TaskReport>, object]>([
    ['nothing, if only the order of keys differs', {}, {}],
    ['nothing, if texts are left out', { status: '', prompt: '' }, {}],
    ['the progress', { progress: '40%' }, { progress: '40%' }],
    ['what the vendor returned', { data: { id: '2' } }, { data: { id: '2' } }],
  ])('%s', (_what, given, patch) => {
    expect(patchOf(row, { ...report, ...given })).toEqual(patch)
  })
})
