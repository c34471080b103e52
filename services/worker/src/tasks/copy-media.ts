import { claimMediaCopies, endMediaCopy, giveUpMediaCopy, postponeMediaCopy, type MediaCopy } from '@tollgate/db/queries/tasks/media-copies'
import { openMedia } from '@tollgate/outbound/fetch-media'
import { openStream, type OpenedStream } from '@tollgate/outbound/open-stream'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import { requireTaskCall } from '@tollgate/upstream/task-call'
import { mediaTypeOf, movedTo, openResult, TASK_MEDIA_LIMITS } from '@tollgate/upstream/task-media'
import type { Deps } from '../deps.ts'
import type { MediaStore } from '../media/media-store.ts'
import { findTaskChannel } from './task-channel.ts'

const LEASE_MS = TASK_MEDIA_LIMITS.timeoutMs + 120_000
const AT_ONCE = 4
const MAX_ATTEMPTS = 8
const FIRST_WAIT_MS = 10_000

type CopyDeps = Pick<Deps, 'db' | 'channelKeys' | 'outbound' | 'userOutbound' | 'signer' | 'now' | 'mediaStore'> & {
  readonly log: Pick<Deps['log'], 'warn'>
}

export type MediaCopier = {
  /** Starts copies that are due while fewer than four run. */
  tick(): Promise<void>
  /** Breaks off; another worker, or the next start, begins them again. */
  stop(): Promise<void>
}

/** Copies finished videos to the media store, and deletes those of removed tasks. A copy that fails eight times is left to its vendor. */
export function createMediaCopier(deps: CopyDeps): MediaCopier {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const { mediaStore: store } = deps
  return {
    tick: async () => {
      const limit = AT_ONCE - running.size
      if (store === undefined || limit === 0 || stopping.signal.aborted) return
      for (const task of await claimMediaCopies(deps.db, { now: deps.now(), lease_ms: LEASE_MS, limit })) {
        const copy = run(deps, { store, task, signal: stopping.signal }).finally(() => running.delete(copy))
        running.add(copy)
      }
    },
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(running)
      store?.close()
    },
  }
}

type Work = { readonly store: MediaStore; readonly task: MediaCopy; readonly signal: AbortSignal }

async function run(deps: CopyDeps, work: Work): Promise<void> {
  const { task, signal } = work
  try {
    await endMediaCopy(deps.db, task.id, task.removed_at > 0 ? await remove(work) : await copy(deps, work))
  } catch (err) {
    const isLast = task.attempts >= MAX_ATTEMPTS && !signal.aborted
    deps.log.warn({ err, task_id: task.task_id, attempts: task.attempts }, isLast ? 'A video was not stored' : 'A video is stored later')
    const wait = signal.aborted ? 0 : FIRST_WAIT_MS * 2 ** (task.attempts - 1)
    await (isLast ? giveUpMediaCopy(deps.db, task.id) : postponeMediaCopy(deps.db, task.id, deps.now() + wait)).catch((error: unknown) =>
      deps.log.warn({ err: error, task_id: task.task_id }, 'A copy keeps its lease'),
    )
  }
}

async function remove({ store, task }: Work): Promise<string[]> {
  await store.remove(task.stored)
  return []
}

/** Keys follow from the task, so a repeated copy replaces the first. */
async function copy(deps: CopyDeps, { store, task, signal }: Work): Promise<string[]> {
  const keys = Array.from({ length: Math.max(1, task.media.length) }, (_, place) => `videos/${task.task_id}/${place}`)
  for (const [place, key] of keys.entries()) {
    const opened = await openSource(deps, task, place)
    const { status, headers, body } = opened
    const type = mediaTypeOf(opened, task.media[place]?.kind ?? 'video')
    try {
      if (status !== 200 || type === undefined) throw new Error(`the vendor answered ${status} with type ${headers['content-type']}`)
      await store.put(key, { body, type }, signal)
    } finally {
      body.destroy()
    }
  }
  return keys
}

async function openSource(deps: CopyDeps, task: MediaCopy, place: number): Promise<OpenedStream> {
  const medium = task.media[place]
  if (medium !== undefined) return await openMedia(deps.userOutbound, { address: medium.url, headers: {}, limits: TASK_MEDIA_LIMITS })
  const channel = await findTaskChannel(deps, task.channel_id, task.channel_key)
  const codec = channel === undefined ? undefined : findTaskFamily(task.family, channel.type)
  const call = codec?.content?.(task.vendor_task_id, { data: task.data })
  if (channel === undefined || codec === undefined || call === undefined) throw new Error('the vendor serves no content')
  const request = await requireTaskCall({ channel, codec, call }, { signer: deps.signer, now: deps.now() })
  const headers = { accept: '*/*', ...request.headers }
  const opened = await openStream(deps.outbound, { ...request, headers }, TASK_MEDIA_LIMITS)
  const moved = movedTo(opened)
  if (moved === undefined) return await openResult(opened, codec)
  opened.body.destroy()
  return await openMedia(deps.userOutbound, { address: moved, headers: {}, limits: TASK_MEDIA_LIMITS })
}
