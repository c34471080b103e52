import { AppError } from '@tollgate/contracts/app-error'
import type { Media } from '@tollgate/outbound/fetch-media'
import { OutboundError } from '@tollgate/outbound/errors'
import type { RelayDeps } from '../../deps.ts'
import type { RequestContext } from '../../request/context.ts'
import { findOwnTasks } from '../../tasks/find-tasks.ts'
import { decodePath } from '../bind-routes.ts'

const CACHE_SECONDS = 86_400
/** The address itself is not repeated: the answer is public. */
const BLOCKED = 'the image is at a private address; the operator can allow its range with MEDIA_ALLOW_PRIVATE'

/**
 * The image of a task, without a key: an id cannot be guessed. Fetched under the rules for addresses in prompts: nothing private, size
 * and time limits, images only.
 */
export async function answerImage(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { reply, path } = context
  const refuse = (status: number, error: string, description?: string): void =>
    reply.answer(
      status,
      { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
      JSON.stringify({ error, description }),
    )
  const [task] = await findOwnTasks({ task_ids: [decodePath(path.split('/')[3] ?? '')], family: 'midjourney' }, deps)
  if (task === undefined || task.image_url === '') return refuse(400, 'midjourney_task_not_found')
  if (!URL.canParse(task.image_url)) return refuse(400, 'proxy_url_invalid')
  const image = await fetchImage(task.image_url, context, deps)
  if (image === 'blocked') return refuse(500, 'http_get_image_failed', BLOCKED)
  if (image === undefined || !image.media_type.startsWith('image/')) return refuse(500, 'http_get_image_failed')
  const caching = task.state === 'success' ? `public, max-age=${CACHE_SECONDS}, immutable` : 'no-store'
  reply.answer(
    200,
    { 'Content-Type': image.media_type, 'Cache-Control': caching, 'Cross-Origin-Resource-Policy': 'cross-origin' },
    image.bytes,
  )
}

async function fetchImage(
  url: string,
  { id, ip, reply }: RequestContext,
  { media, log }: RelayDeps,
): Promise<Media | 'blocked' | undefined> {
  const fetched = media.begin({ log_fields: { request_id: id }, owner: { ip } })
  reply.onClosed(() => fetched.release())
  try {
    return await fetched.fetchOne(url)
  } catch (err) {
    if (!(err instanceof OutboundError) && !(err instanceof AppError)) throw err
    log.warn({ err, request_id: id }, 'The image of a task could not be fetched')
    return err instanceof OutboundError && err.failure === 'blocked' ? 'blocked' : undefined
  }
}
