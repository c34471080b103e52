import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@tollgate/contracts/app-error'
import { textAt } from '@tollgate/providers/json'
import { readPredictVideo, renderPredictVideo } from '@tollgate/providers/tasks/video/native-predict'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { toOwn } from '../../tasks/find-tasks.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { runTask } from '../../tasks/run-task.ts'
import { answerJson } from '../models.ts'
import { pipeBody } from '../pipe-body.ts'
import { openVideo } from './content.ts'
import { findVideoById } from './find-video.ts'
import { toTask } from './read-task.ts'

/**
 * Videos as Google's SDK makes them in its mode for Vertex AI. Any vendor may make them; the bytes are in the operation, since the gateway
 * has no bucket of the client's.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
 */

/** POST /{version}/models/{model}:predictLongRunning */
export async function orderPredictVideo(context: RequestContext, model: string, deps: RelayDeps): Promise<void> {
  const read = (body: Parameters<typeof readPredictVideo>[1]) =>
    toTask(readPredictVideo(model, body), (task) => renderPredictVideo({ ...task, model }))
  await runTask(context, { family: 'video', missing: '', read }, deps)
}

const NAME = /\/operations\/([^/]+)$/

/** POST /{version}/models/{model}:fetchPredictOperation */
export async function fetchPredictVideo(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const name = textAt(await readSmallBody(context, record.user_id, deps), 'operationName') ?? ''
  await answerOperation(context, name, record.user_id, deps)
}

/** GET /{version}/models/{model}/operations/{id} */
export async function answerPredictVideo(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  await answerOperation(context, context.path, record.user_id, deps)
}

async function answerOperation(context: RequestContext, name: string, user_id: number, deps: RelayDeps): Promise<void> {
  const id = NAME.exec(name)?.[1]
  if (id === undefined)
    throw new AppError('request.field', { detail: 'operationName must be the name of an operation', field: 'operationName' })
  const task = toOwn(await findVideoById(id, user_id, deps), context)
  if (task.state !== 'success') return answerJson(context, renderPredictVideo(task))
  const { body, type } = await openVideo(task, deps)
  const [head = '', tail = ''] = JSON.stringify(renderPredictVideo(task, [{ bytesBase64Encoded: MARK, mimeType: type }])).split(MARK)
  async function* pieces() {
    yield head
    yield* toBase64(body)
    yield tail
  }
  context.reply.head(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  await pipeBody(Readable.from(pieces()), context, deps)
}

/** Where the bytes come in. */
const MARK = randomBytes(16).toString('hex')
/** Bytes of four characters. */
const GROUP = 3

async function* toBase64(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of body) {
    const all = held.length === 0 ? piece : Buffer.concat([held, piece])
    const whole = all.length - (all.length % GROUP)
    yield all.toString('base64', 0, whole)
    held = all.subarray(whole)
  }
  yield held.toString('base64')
}

export const isPredictOperation = (path: string): boolean => NAME.test(path)
