import { AppError } from '@tollgate/contracts/app-error'
import { isEndedTask, type TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { OutboundError } from '@tollgate/outbound/errors'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { RelayDeps } from '../../deps.ts'
import { callTaskChannel } from '../../tasks/call-task-channel.ts'

/** Deletes a finished video here, and at a vendor that keeps it until then. */
export async function removeVideo(task: TaskRecord, deps: RelayDeps): Promise<void> {
  if (!isEndedTask(task.state)) throw new AppError('tasks.refused', { description: 'the video is not finished' })
  const type = deps.config.snapshot.channels.get(task.channel_id)?.type
  const call = type === undefined ? undefined : findTaskFamily('video', type)?.remove?.(task.vendor_task_id)
  if (call !== undefined && task.vendor_task_id !== '') {
    const answer = await callTaskChannel(task, call, deps).catch((cause: unknown) => {
      if (!(cause instanceof OutboundError)) throw cause
      throw new AppError('tasks.not-removed', {}, { cause })
    })
    // 404: it is gone already, as after the deletion whose answer was lost.
    if (!(answer.status >= 200 && answer.status < 300) && answer.status !== 404) throw new AppError('tasks.not-removed')
  }
  const { task_id, user_id } = task
  await deps.controlPlane.removeTask({ task_id, user_id }).catch((cause: unknown) => {
    throw new AppError('tasks.unavailable', {}, { cause })
  })
}
