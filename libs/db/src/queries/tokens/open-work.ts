import { sql } from 'kysely'
import type { OpenWork } from '@tollgate/contracts/resources/tokens'
import type { Db, Tx } from '../../connect.ts'

/** Counts the open tasks, batches and responses of a token; reads open rows only, however many the user ever had. */
export async function countOpenWork(db: Db | Tx, { id, user_id }: { readonly id: number; readonly user_id: number }): Promise<OpenWork> {
  const { rows } = await sql<OpenWork>`
    select
      (select count(*) from task_polls join tasks on tasks.id = task_polls.task
        where tasks.user_id = ${user_id} and tasks.token_id = ${id}) as tasks,
      (select count(*) from batches where status in ('validating', 'in_progress', 'cancelling')
        and user_id = ${user_id} and token_id = ${id}) as batches,
      (select count(*) from deferred_requests where user_id = ${user_id} and token_id = ${id} and batch_id = ''
        and state <> 'ended') as responses`.execute(db)
  return rows[0] ?? { tasks: 0, batches: 0, responses: 0 }
}
