import type { Readable } from 'node:stream'
import { AppError } from '@tollgate/contracts/app-error'
import { isEndedTask, type TaskMedia, type TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { OutboundError } from '@tollgate/outbound/errors'
import type { OpenedStream } from '@tollgate/outbound/open-stream'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import { CONTENT_VARIANTS, type ContentVariant, type TaskCall } from '@tollgate/providers/tasks/task-family'
import { mediaTypeOf, movedTo, TASK_MEDIA_LIMITS } from '@tollgate/upstream/task-media'
import type { RelayDeps } from '../../deps.ts'
import type { RequestContext } from '../../request/context.ts'
import { queryOf } from '../../transport/query.ts'
import { openTaskChannel } from '../../tasks/call-task-channel.ts'
import { pipeBody } from '../pipe-body.ts'

const CACHE_SECONDS = 86_400

/**
 * The bytes of a finished video, streamed: from the vendor's public address, under the rules for addresses in prompts, or with the
 * channel's key. A part is served if the vendor serves parts.
 */
export async function answerContent(context: RequestContext, task: TaskRecord, deps: RelayDeps): Promise<void> {
  const variant = variantOf(context)
  if (variant !== undefined && contentCallOf(task, variant, deps) === undefined)
    throw new AppError('tasks.refused', { description: `the vendor of this video has no ${variant}` })
  await answerMedium(context, { task, index: 0, kind: variant === undefined ? 'video' : 'image', variant }, deps)
}

/** The picture that is asked for in place of the video. */
function variantOf({ incoming }: RequestContext): ContentVariant | undefined {
  const stated = new URLSearchParams(queryOf(incoming.url ?? '')).get('variant') ?? ''
  if (stated === '' || stated === 'video') return undefined
  const known = CONTENT_VARIANTS.find((variant) => variant === stated)
  if (known === undefined) throw new AppError('tasks.refused', { description: 'variant must be video, thumbnail or spritesheet' })
  return known
}

type Wanted = {
  readonly task: TaskRecord
  readonly index: number
  readonly kind: TaskMedia['kind']
  readonly variant?: ContentVariant | undefined
}

/** The same for any result of a task. */
export async function answerMedium(context: RequestContext, { task, index, kind, variant }: Wanted, deps: RelayDeps): Promise<void> {
  if (!isEndedTask(task.state)) throw new AppError('tasks.refused', { description: 'the video is not finished' })
  if (task.state !== 'success') throw new AppError('tasks.refused', { description: 'the video failed' })
  const { opened, type } = await openServed({ task, index, kind, variant }, rangeOf(context), deps)
  context.reply.head(opened.status, {
    ...kept(opened),
    'Content-Type': type,
    'Cache-Control': `private, max-age=${CACHE_SECONDS}`,
  })
  await pipeBody(opened.body, context, deps)
}

/** The bytes of a task that has succeeded. */
export async function openVideo(task: TaskRecord, deps: RelayDeps): Promise<{ readonly body: Readable; readonly type: string }> {
  const { opened, type } = await openServed({ task, index: 0, kind: 'video' }, undefined, deps)
  return { body: opened.body, type }
}

async function openServed({ kind, ...wanted }: Wanted, range: string | undefined, deps: RelayDeps) {
  const opened = await openMedium(wanted, range, deps).catch((cause: unknown) => {
    if (!(cause instanceof OutboundError)) throw cause
    throw new AppError('tasks.no-content', {}, { cause })
  })
  const type = mediaTypeOf(opened, kind)
  const isServed = opened.status === 200 || (opened.status === 206 && range !== undefined)
  if (isServed && type !== undefined) return { opened, type }
  opened.body.destroy()
  if (opened.status === 416 && range !== undefined) throw new AppError('tasks.range')
  throw new AppError('tasks.no-content', {}, { cause: new OutboundError('malformed', `status ${opened.status}, type ${type}`) })
}

async function openMedium(
  { task, index, variant }: Pick<Wanted, 'task' | 'index' | 'variant'>,
  range: string | undefined,
  deps: RelayDeps,
): Promise<OpenedStream> {
  const headers = range === undefined ? {} : { range }
  const stored = variant === undefined ? await openStored({ task, index }, headers, deps) : undefined
  if (stored !== undefined) return stored
  const media = variant === undefined ? task.media[index] : undefined
  if (media !== undefined) return await deps.media.open(media.url, { headers, limits: TASK_MEDIA_LIMITS })
  if (index > 0) throw new AppError('tasks.no-content')
  const call = contentCallOf(task, variant, deps)
  if (call === undefined) throw new AppError('tasks.no-content')
  const opened = await openTaskChannel(task, { call, headers, limits: TASK_MEDIA_LIMITS }, deps)
  const moved = movedTo(opened)
  if (moved === undefined) return opened
  opened.body.destroy()
  return await deps.media.open(moved, { headers, limits: TASK_MEDIA_LIMITS })
}

function contentCallOf(task: TaskRecord, variant: ContentVariant | undefined, deps: RelayDeps): TaskCall | undefined {
  const type = deps.config.snapshot.channels.get(task.channel_id)?.type
  return type === undefined ? undefined : findTaskFamily(task.family, type)?.content?.(task.vendor_task_id, { variant, data: task.data })
}

/** From the operator's store; undefined: it has no copy, or cannot be asked. */
async function openStored(
  { task, index }: Pick<Wanted, 'task' | 'index'>,
  headers: Readonly<Record<string, string>>,
  { mediaStore, log }: RelayDeps,
): Promise<OpenedStream | undefined> {
  const key = task.stored[index]
  if (key === undefined || mediaStore === undefined) return undefined
  const opened = await mediaStore.open(key, headers, TASK_MEDIA_LIMITS).catch((err: unknown) => {
    if (!(err instanceof OutboundError)) throw err
    log.warn({ err, task_id: task.task_id }, 'The media store cannot be asked')
    return undefined
  })
  if (opened === undefined || [200, 206, 416].includes(opened.status)) return opened
  log.warn({ status: opened.status, task_id: task.task_id }, 'The media store has no copy')
  opened.body.destroy()
  return undefined
}

/** One range of bytes; other forms are ignored, as RFC 9110 section 14.2 allows. */
function rangeOf({ incoming }: RequestContext): string | undefined {
  const { range } = incoming.headers
  return range !== undefined && /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range) ? range : undefined
}

const KEPT = { 'content-length': 'Content-Length', 'content-range': 'Content-Range', 'accept-ranges': 'Accept-Ranges' } as const

function kept({ headers }: OpenedStream): Record<string, string> {
  return Object.fromEntries(
    Object.entries(KEPT).flatMap(([name, shown]) => {
      const value = headers[name]
      return typeof value === 'string' ? [[shown, value]] : []
    }),
  )
}
