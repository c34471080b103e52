import { parentPort } from 'node:worker_threads'
import { AppError } from '@tollgate/contracts/app-error'
import { findSensitive } from '@tollgate/domain/access/sensitive'
import { readSettings, type Settings } from '../../config/settings.ts'
import { countTokens } from './count-tokens.ts'
import type { FromThread, Results, Task, ToThread } from './messages.ts'
import { ParsedBodies } from './parsed-bodies.ts'

/** The entry of a thread for large bodies: one message after the other, each answered once. */
const shelf = new ParsedBodies(Math.random)
let settings: Settings = readSettings(new Map())

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'options') settings = readSettings(message.options)
  else if (message.kind === 'task') void answer(message.id, message.task)
  else {
    shelf.drop(message.id)
    tell({ kind: 'dropped', kept: shelf.size })
  }
})

async function answer(id: number, task: Task): Promise<void> {
  try {
    const result = await work(id, task)
    tell({ kind: 'done', id, result, kept: shelf.size }, transferable(result))
  } catch (error) {
    const kept = shelf.size
    if (error instanceof AppError) tell({ kind: 'refused', id, refusal: { code: error.code, params: error.params }, kept })
    else tell({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)), kept })
  }
}

function work(id: number, task: Task): Results[Task['kind']] | Promise<number> {
  if (task.kind === 'read') return shelf.read(id, task, settings)
  if (task.kind === 'encode') return shelf.encode(task, settings)
  if (task.kind === 'count') return countTokens(task.texts, task.family)
  const { sensitive } = settings
  return sensitive !== undefined && task.texts.some((text) => findSensitive(sensitive, text) !== undefined)
}

function transferable(result: Results[Task['kind']]): ArrayBuffer[] {
  const bytes = typeof result === 'object' && 'kind' in result && result.kind === 'encoded' ? result.body : undefined
  return bytes === undefined ? [] : [bytes.buffer]
}

function tell(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}
