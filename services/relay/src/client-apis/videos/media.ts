import { AppError } from '@tollgate/contracts/app-error'
import { isMediaSignature } from '@tollgate/http/media-address'
import type { RelayDeps } from '../../deps.ts'
import type { RequestContext } from '../../request/context.ts'
import { findOwnTasks } from '../../tasks/find-tasks.ts'
import { decodePath } from '../bind-routes.ts'
import { queryOf } from '../../transport/query.ts'
import { answerMedium } from './content.ts'

/** Sends a result of a task to a browser: the address that the console was given is the permission, for an hour. */
export async function answerSignedMedium(context: RequestContext, deps: RelayDeps): Promise<void> {
  const [, , , task = '', , place = ''] = context.path.split('/')
  const [task_id, index] = [decodePath(task), Number(place)]
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const signed = { task_id, index, expires: query.get('expires') ?? '', sig: query.get('sig') ?? '' }
  if (!isMediaSignature(signed, deps.now(), deps.env.INTERNAL_SECRETS)) throw new AppError('tasks.media-expired')
  const [found] = await findOwnTasks({ task_ids: [task_id] }, deps)
  if (found === undefined) throw new AppError('tasks.unknown', { id: task_id.slice(0, 80) })
  await answerMedium(context, { task: found, index, kind: found.media[index]?.kind ?? 'video' }, deps)
}
