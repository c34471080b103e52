import type { Insertable, Selectable } from 'kysely'
import type { TaskMedia } from '@tollgate/contracts/tasks/tasks'
import type { UnixMillis } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'

type Tasks = Selectable<Database['tasks']>

const SHOWN = [
  'id',
  'task_id',
  'family',
  'platform',
  'user_id',
  'channel_id',
  'request_id',
  'action',
  'model',
  'status',
  'code',
  'progress',
  'prompt',
  'prompt_en',
  'description',
  'fail_reason',
  'image_url',
  'media',
  'stored',
  'properties',
  'data',
  'quota',
  'submit_time',
  'start_time',
  'finish_time',
  'updated_at',
] as const satisfies readonly (keyof Tasks)[]
export type ListedTaskRow = Pick<Tasks, (typeof SHOWN)[number]>

/** Empty texts and 0 are no condition. */
export type TaskFilter = {
  /** Drawing tasks, or all others. */
  readonly isDrawing: boolean
  readonly user_id?: number
  readonly channel_id?: number
  readonly task_id?: string
  readonly platform?: string
  readonly status?: string
  readonly action?: string
  readonly from?: UnixMillis
  readonly to?: UnixMillis
  /** Only these rows. */
  readonly ids?: readonly number[]
}

/** One page of tasks, newest first. */
export function listTasks(
  db: Db | Tx,
  { filter, limit, offset }: { readonly filter: TaskFilter; readonly limit: number; readonly offset: number },
): Promise<ListedTaskRow[]> {
  const { isDrawing, user_id, channel_id = 0, task_id = '', platform = '', status = '', action = '', from = 0, to = 0, ids } = filter
  return db
    .selectFrom('tasks')
    .select(SHOWN)
    .where('family', isDrawing ? '=' : '<>', 'midjourney')
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
    .$if(channel_id > 0, (query) => query.where('channel_id', '=', channel_id))
    .$if(task_id !== '', (query) => query.where('task_id', '=', task_id))
    .$if(platform !== '', (query) => query.where('platform', '=', platform))
    .$if(status !== '', (query) => query.where('status', '=', status))
    .$if(action !== '', (query) => query.where('action', '=', action))
    .$if(from > 0, (query) => query.where('submit_time', '>=', from))
    .$if(to > 0, (query) => query.where('submit_time', '<=', to))
    .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? [])]))
    .orderBy('submit_time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

type StoredTask = Insertable<Database['tasks']>
export type NewTaskRow = Omit<StoredTask, 'media' | 'properties' | 'data' | 'quote'> & { readonly media?: readonly TaskMedia[] }

/** Inserts tasks that nothing charges or polls, for demo data. */
export async function insertTasks(tx: Tx, rows: readonly NewTaskRow[]): Promise<void> {
  await tx
    .insertInto('tasks')
    .values(rows.map(({ media = [], ...row }) => ({ ...row, media: toJsonb(media) })))
    .execute()
}
