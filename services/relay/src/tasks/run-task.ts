import { AppError } from '@tollgate/contracts/app-error'
import type { TaskFamily } from '@tollgate/contracts/tasks/tasks'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { TaskRequest } from '@tollgate/providers/tasks/task-family'
import type { RelayDeps } from '../deps.ts'
import { refuse } from '../response/refuse.ts'
import { identify } from '../pipeline/identify.ts'
import type { RequestContext } from '../request/context.ts'
import { settleOnEnd } from '../pipeline/finish.ts'
import { openRequest } from '../pipeline/open-request.ts'
import type { Identified } from '../request/phases.ts'
import type { Conversation } from '../request/parsed-request.ts'
import { waitForPermit } from '../request/permit.ts'
import { collectBody, type Body } from '../transport/body/collect-body.ts'
import { parseJsonObject } from '../transport/body/parse-json.ts'
import { readForm } from '../transport/body/read-form.ts'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import type { Form } from '@tollgate/providers/form'
import { submitTask } from './submit-task.ts'
import { toTaskParsedRequest } from './task-request.ts'
import { TASK_OPERATIONS } from '../task-operations.ts'
import { findOwnTasks } from './find-tasks.ts'

export type TaskRoute = {
  readonly family: TaskFamily
  /** Throws AppError for a body that cannot be served. */
  read(body: JsonObject): TaskRequest
  /** Takes forms too, with their files as data URLs. */
  readonly takesForms?: boolean
  /** Description of the error when the source does not exist. */
  readonly missing: string
}

/** Images are sent as base64. */
const MAX_BODY = 32 * 1024 * 1024

/** Runs one submission: the steps of `pipeline/run.ts`, with the vendor's answer kept as a task. Answers the client in every case. */
export async function runTask(context: RequestContext, route: TaskRoute, deps: RelayDeps): Promise<void> {
  let body: Body | undefined
  try {
    if (deps.admissionQueue.isFull) await waitForPermit(context, deps)
    const identified = await identify(context, TASK_OPERATIONS[route.family], deps)
    context.clock.enter('read')
    context.reply.proceed()
    const { user_id } = identified.caller.record
    body = await collectBody(context.incoming, {
      max: Math.min(MAX_BODY, deps.env.RELAY_MAX_BODY),
      account: deps.bodies.open({ user_id, ip: context.ip }),
      pace: deps.bodyPace,
      isText: true,
      sharedOver: Number.POSITIVE_INFINITY,
      onWait: () => context.permit.release(),
    })
    await orderTask(identified, { route, body, fields: await readBody(context, body, route) }, deps)
  } catch (error) {
    refuse(context, error, deps)
  } finally {
    context.permit.release()
    body?.release()
  }
}

type Order = { readonly route: TaskRoute; readonly body: Body; readonly fields: JsonObject }

/** The same once the body is read. Throws AppError for a refused one. */
export async function orderTask(identified: Identified, { route, body, fields }: Order, deps: RelayDeps): Promise<void> {
  const { user_id } = identified.caller.record
  const task = route.read(fields)
  const source = await findSource(task, { route, user_id }, deps)
  const request = toTaskParsedRequest({ body, task, family: route.family, conversation: source?.conversation })
  const held = await openRequest({ ...identified, request }, {}, deps)
  const submission = { family: route.family, task, source_vendor_id: source?.vendor_task_id ?? '' }
  held.progress.recording = deps.observer.record(held)
  held.progress.recording?.readPrompt()
  await settleOnEnd(held, deps, () => submitTask(held, submission, deps))
}

async function readBody({ incoming }: RequestContext, { bytes }: Body, { family, takesForms }: TaskRoute): Promise<JsonObject> {
  const isForm = takesForms === true && /^multipart\/form-data\b/i.test(incoming.headers['content-type'] ?? '')
  return isForm ? toFields(await readForm(incoming, bytes, TASK_OPERATIONS[family])) : parseJsonObject(bytes)
}

/** The fields of a form; of two with one name the later one counts. `name[member]` is a member of an object, as OpenAI's clients write it. */
function toFields({ parts }: Form): JsonObject {
  const fields = new Map<string, unknown>()
  for (const part of parts) {
    const value = part.kind === 'field' ? part.value : `data:${part.type};base64,${part.bytes.toString('base64')}`
    const [, name, member] = /^([\w-]+)\[([\w-]+)\]$/.exec(part.name) ?? []
    if (name === undefined || member === undefined) fields.set(part.name, value)
    else fields.set(name, Object.fromEntries([...membersOf(fields.get(name)), [member, value]]))
  }
  return Object.fromEntries(fields)
}

const membersOf = (value: unknown): readonly [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

type Source = { readonly vendor_task_id: string; readonly conversation: Conversation }

/** The task that a submission continues; its channel and key serve the submission too. */
async function findSource(
  { source }: TaskRequest,
  { route, user_id }: { readonly route: TaskRoute; readonly user_id: number },
  deps: RelayDeps,
): Promise<Source | undefined> {
  if (source === undefined) return undefined
  const missing = new AppError('tasks.missing', { description: route.missing })
  const [task] = await findOwnTasks({ task_ids: [source.task_id], user_id, family: route.family }, deps)
  if (task === undefined || task.vendor_task_id === '') throw missing
  const { config } = deps
  if (source.must_have_succeeded && config.settings.drawing.checks_success && task.state !== 'success')
    throw new AppError('tasks.refused', { description: 'task_status_not_success' })
  const channel = config.snapshot.channels.get(task.channel_id)
  if (channel === undefined) throw new AppError('tasks.channel-gone')
  const refusal = new AppError('tasks.channel-disabled')
  if (channel.status !== ChannelStatus.enabled) throw refusal
  const bound = { channel_id: task.channel_id, key_id: task.channel_key, refusal }
  return { vendor_task_id: task.vendor_task_id, conversation: { is_stored: false, chain: [], bound } }
}
