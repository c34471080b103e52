import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import type { Task } from '@tollgate/contracts/resources/tasks'
import type { Language } from '@tollgate/http/language'
import { listTasks, type ListedTaskRow, type TaskFilter } from '@tollgate/db/queries/tasks/task-list'
import type { Deps } from '../../deps.ts'
import { toDrawingTask, toTask } from './present.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const PAGE = 10
const MAX_PAGES = 1_000_000
const MAX_IDS = 100
const MS = 1_000

type Query = {
  /** From 0. */
  readonly p: number
  readonly ids: string
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly channel_id?: number
}
type DrawingQuery = Query & { readonly mj_id: string }
type TaskQuery = Query & { readonly task_id: string; readonly platform: string; readonly status: string; readonly action: string }

type Reader = { readonly owner: number | undefined; readonly language: Language }

/** Ten drawing tasks, newest first; with `owner` only that user's, without channels. The range is in milliseconds. */
export async function listDrawingPage(deps: Deps, query: DrawingQuery, { owner, language }: Reader): Promise<DrawingTask[]> {
  const { mj_id: task_id, start_timestamp: from, end_timestamp: to } = query
  const rows = await listPage(deps, query, owner, { isDrawing: true, task_id, from, to })
  // Without a saved address the picture's is relative to the page.
  const forward = (await deps.options.get('MjForwardUrlEnabled')) ? await deps.options.get('ServerAddress') : undefined
  return rows.map((row) => toDrawingTask(row, { forward, isOwn: owner !== undefined, language }))
}

/** Ten music or video tasks, newest first; with `owner` only that user's, without channels. The range is in seconds. */
export async function listTaskPage(deps: Deps, query: TaskQuery, { owner, language }: Reader): Promise<Task[]> {
  const { task_id, platform, status, action, start_timestamp, end_timestamp } = query
  // The last second counts as a whole.
  const range = { from: start_timestamp * MS, to: end_timestamp > 0 ? end_timestamp * MS + MS - 1 : 0 }
  const rows = await listPage(deps, query, owner, { isDrawing: false, task_id, platform, status, action, ...range })
  return rows.map((row) => toTask(row, { isOwn: owner !== undefined, language }))
}

async function listPage(
  deps: Deps,
  { p, ids, channel_id = 0 }: Query,
  owner: number | undefined,
  filter: TaskFilter,
): Promise<ListedTaskRow[]> {
  const page = Math.min(Math.max(0, p), MAX_PAGES)
  const whose = owner === undefined ? { channel_id } : { user_id: owner }
  const read = (asked: Parameters<typeof listTasks>[1]) => withReadSnapshot(deps, (tx) => listTasks(tx, asked))
  if (ids === '') return read({ filter: { ...filter, ...whose }, limit: PAGE, offset: page * PAGE })
  const wanted = idsOf(ids)
  return wanted.length === 0 ? [] : read({ filter: { ...filter, ...whose, ids: wanted }, limit: MAX_IDS, offset: 0 })
}

/** Whole numbers above 0; anything else in the list is ignored. */
function idsOf(text: string): readonly number[] {
  return text
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, MAX_IDS)
}
