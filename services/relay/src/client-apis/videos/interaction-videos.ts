import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { toInteractionId } from '@tollgate/providers/chat/formats/gemini-interactions/own-ids'
import { isObject, parseJson, type JsonObject } from '@tollgate/providers/json'
import { asksForVideo, readInteractionVideo, renderInteractionVideo } from '@tollgate/providers/tasks/video/native-interaction'
import type { ShownVideo } from '@tollgate/providers/tasks/video/render-video'
import { unknownFile } from '../../control-plane/stored-files.ts'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { Caller } from '../../request/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { findOwnTasks, toOwn } from '../../tasks/find-tasks.ts'
import { orderTask } from '../../tasks/run-task.ts'
import { answerJson } from '../models.ts'
import { originOf } from '../origin.ts'
import { answerContent } from './content.ts'
import { toTask } from './read-task.ts'

/** Videos as Google's clients make them with an API key: a background interaction, and a file to download. Any vendor may make them. */

const family = 'video'
const MODALITY = Buffer.from('"video"')

/** The fields of a background interaction that asks for a video; undefined: it asks for something else. */
export function readVideoFields(bytes: Buffer): JsonObject | undefined {
  if (!bytes.includes(MODALITY)) return undefined
  const fields = parseJson(bytes.toString())
  return isObject(fields) && asksForVideo(fields) ? fields : undefined
}

type Given = { readonly caller: Caller; readonly bytes: Buffer; readonly fields: JsonObject }

export async function orderVideo(context: RequestContext, { caller, bytes, fields }: Given, deps: RelayDeps): Promise<void> {
  const read = (body: JsonObject) => toTask(readInteractionVideo(body), (task) => render(task, context))
  const body = { bytes, release: () => undefined }
  await orderTask({ context, caller }, { route: { family, missing: '', read }, body, fields }, deps)
}

/** The caller's video with the id of this interaction, as one; undefined: there is none. */
export async function findInteractionVideo(
  context: RequestContext,
  { id, user_id }: { readonly id: string; readonly user_id: number },
  deps: RelayDeps,
): Promise<{ readonly task: TaskRecord; readonly interaction: JsonObject } | undefined> {
  const [found] = await findOwnTasks({ task_ids: [id.slice(id.indexOf('_') + 1)], user_id, family }, deps)
  if (found === undefined) return undefined
  const task = toOwn(found, context)
  return { task, interaction: render(task, context) }
}

const render = (task: ShownVideo | TaskRecord, context: RequestContext): JsonObject =>
  renderInteractionVideo(task, {
    id: toInteractionId({ id: task.task_id }),
    uri: addressOf(task.task_id, context),
  })

/** Google's clients take lower-case letters and digits only for the name of a file in its address. */
const nameOf = (task_id: string): string => `video${Buffer.from(task_id).toString('hex')}`
const addressOf = (task_id: string, context: RequestContext): string =>
  `${originOf(context)}/v1beta/files/${nameOf(task_id)}:download?alt=media`
const NAME = /^video((?:[\da-f]{2})+)(:download)?$/

/** GET /{version}/files/{name}:download of such a video; false: the name is another file's. */
export async function answerVideoFile(context: RequestContext, name: string, deps: RelayDeps): Promise<boolean> {
  const [, hex, action] = NAME.exec(name) ?? []
  if (hex === undefined) return false
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const task_ids = [Buffer.from(hex, 'hex').toString()]
  const [task] = await findOwnTasks({ task_ids, user_id: record.user_id, family }, deps)
  if (task === undefined) throw unknownFile(name)
  if (action !== undefined) await answerContent(context, toOwn(task, context), deps)
  else {
    const isMade = task.state === 'success'
    const uri = addressOf(task.task_id, context)
    answerJson(context, { name: `files/${nameOf(task.task_id)}`, mimeType: 'video/mp4', uri, state: isMade ? 'ACTIVE' : 'PROCESSING' })
  }
  return true
}
