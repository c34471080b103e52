import type { TaskMedia } from '@tollgate/contracts/tasks/tasks'
import { OutboundError } from '@tollgate/outbound/errors'
import type { OpenedStream } from '@tollgate/outbound/open-stream'
import type { TaskFamilyCodec } from '@tollgate/providers/tasks/task-family'
import { openMember } from './member-bytes.ts'

/** Limits of one result of a task, for a client that plays it and for its copy. */
export const TASK_MEDIA_LIMITS = { maxBytes: 2 * 1024 ** 3, headTimeoutMs: 30_000, idleMs: 30_000, timeoutMs: 1_800_000, maxRedirects: 3 }

const UNNAMED = new Set(['', 'application/octet-stream', 'binary/octet-stream'])
const USUAL_TYPES = { image: 'image/png', audio: 'audio/mpeg', video: 'video/mp4' } as const satisfies Record<TaskMedia['kind'], string>

/** The media type of an answer; undefined: it is of another kind. Stores often name no type, or that of any bytes. */
export function mediaTypeOf({ headers }: OpenedStream, kind: TaskMedia['kind']): string | undefined {
  const named = (headers['content-type']?.split(';')[0] ?? '').trim().toLowerCase()
  if (named.startsWith(`${kind}/`) && /^\w+\/[\w.+-]+$/.test(named)) return named
  return UNNAMED.has(named) ? USUAL_TYPES[kind] : undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Where a vendor sends the reader of a result, which is asked without the channel's key; undefined: nowhere. */
export function movedTo({ status, headers: { location = '' } }: OpenedStream): string | undefined {
  return REDIRECTS.has(status) && URL.canParse(location) ? location : undefined
}

/** A vendor's answer to `content` as the bytes of the result. Throws OutboundError 'malformed': it is to hold them and does not. */
export async function openResult(opened: OpenedStream, { bytesIn }: Pick<TaskFamilyCodec, 'bytesIn'>): Promise<OpenedStream> {
  if (bytesIn === undefined || opened.status !== 200) return opened
  const bytes = await openMember(opened, bytesIn, USUAL_TYPES.video)
  if (bytes === undefined) throw new OutboundError('malformed', `no ${bytesIn}`)
  return bytes
}
