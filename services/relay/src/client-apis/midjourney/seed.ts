import { AppError } from '@tollgate/contracts/app-error'
import { OutboundError } from '@tollgate/outbound/errors'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { callTaskChannel } from '../../tasks/call-task-channel.ts'
import { findOwnTasks } from '../../tasks/find-tasks.ts'

/** The vendor's answer about the seed of a finished image, unchanged. */
export async function answerSeed(context: RequestContext, task_id: string, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const [task] = await findOwnTasks({ task_ids: [task_id], user_id: record.user_id, family: 'midjourney' }, deps)
  if (task === undefined) throw new AppError('tasks.missing', { description: 'task_no_found' })
  const path = `/mj/task/${encodeURIComponent(task.vendor_task_id)}/image-seed`
  try {
    const answer = await callTaskChannel(task, { method: 'GET', path }, deps)
    context.reply.answer(answer.status, { 'Content-Type': 'application/json; charset=utf-8' }, answer.body)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new AppError('tasks.refused', { description: 'do_request_failed' }, { cause: error })
  }
}
