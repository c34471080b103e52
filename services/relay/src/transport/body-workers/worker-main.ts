import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '@tollgate/contracts/app-error'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { readSettings, type Settings } from '../../config/settings.ts'
import { countTokens } from './count-tokens.ts'
import type { FromWorker, Results, Task, ToWorker, WorkerData } from './messages.ts'
import { ParsedBodies } from './parsed-bodies.ts'

/** Entry of a body worker: handles one message after the other and answers each once. */
// Passed by BodyWorker when it starts the thread.
const { sample_seed } = workerData as WorkerData
const bodies = new ParsedBodies(sample_seed)
let settings: Settings = readSettings(new Map())

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'options') settings = readSettings(message.options)
  else if (message.kind === 'task') void answer(message.id, message.task)
  else {
    bodies.drop(message.id)
    send({ kind: 'dropped', kept: bodies.size })
  }
})

async function answer(id: number, task: Task): Promise<void> {
  try {
    const result = await work(id, task)
    send({ kind: 'done', id, result, kept: bodies.size }, transferable(result))
  } catch (error) {
    const kept = bodies.size
    if (error instanceof AppError) send({ kind: 'refused', id, refusal: { code: error.code, params: error.params }, kept })
    else send({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)), kept })
  }
}

function work(id: number, task: Task): Results[Task['kind']] | Promise<number> {
  if (task.kind === 'read') return bodies.read(id, task, settings)
  if (task.kind === 'encode') return bodies.encode(task, settings)
  if (task.kind === 'describe') return bodies.describe(task.body)
  if (task.kind === 'count') return countTokens(task.texts, task.family)
  const { sensitive } = settings
  return sensitive !== undefined && task.texts.some((text) => findSensitive(sensitive, text) !== undefined)
}

function transferable(result: Results[Task['kind']]): ArrayBuffer[] {
  const bytes = typeof result === 'object' && 'kind' in result && result.kind === 'encoded' ? result.body : undefined
  return bytes === undefined ? [] : [bytes.buffer]
}

function send(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}
