import { AppError } from '@tollgate/contracts/app-error'
import { isEndedTask, type TaskRecord } from '@tollgate/contracts/tasks'
import type { Media } from '@tollgate/outbound/fetch-media'
import { OutboundError } from '@tollgate/outbound/errors'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { RelayDeps } from '../../deps.ts'
import type { RequestContext } from '../../request/context.ts'
import { callTaskChannel } from '../../tasks/call-task-channel.ts'

const LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000, maxRedirects: 3 }
const CACHE_SECONDS = 86_400

/** The bytes of a finished video: from the vendor's public address, under the rules for addresses in prompts, or with the channel's key. */
export async function answerContent(context: RequestContext, task: TaskRecord, deps: RelayDeps): Promise<void> {
  if (!isEndedTask(task.state)) throw new AppError('tasks.refused', { description: 'the video is not finished' })
  if (task.state !== 'success') throw new AppError('tasks.refused', { description: 'the video failed' })
  const video = await fetchVideo(task, deps).catch((cause: unknown) => {
    if (!(cause instanceof OutboundError)) throw cause
    throw new AppError('tasks.no-content', {}, { cause })
  })
  const headers = { 'Content-Type': video.media_type, 'Cache-Control': `private, max-age=${CACHE_SECONDS}` }
  context.reply.answer(200, headers, video.bytes)
}

async function fetchVideo(task: TaskRecord, deps: RelayDeps): Promise<Media> {
  const [media] = task.media
  if (media !== undefined) return await deps.media.fetchOne(media.url, LIMITS)
  const type = deps.config.snapshot.channels.get(task.channel_id)?.type
  const call = type === undefined ? undefined : findTaskFamily(task.family, type)?.content?.(task.vendor_task_id)
  if (call === undefined) throw new AppError('tasks.no-content')
  const answer = await callTaskChannel(task, { call, limits: LIMITS }, deps)
  const named = String(answer.headers['content-type'] ?? '')
  if (answer.status !== 200 || !/^video\/[\w.+-]+(?:;|$)/.test(named))
    throw new OutboundError('malformed', `status ${answer.status}, ${named}`)
  return { media_type: named, bytes: answer.body }
}
