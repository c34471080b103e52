import { Worker } from 'node:worker_threads'
import { AppError } from '@tollgate/contracts/app-error'
import type { RuntimeConfig } from '../../config/runtime-config.ts'
import { relayOptionKeys } from '@tollgate/contracts/options/registry'
import type { Settings } from '../../config/settings.ts'
import type { FromWorker, Results, Task, ToWorker, WorkerData } from './messages.ts'

type Waiting = { readonly bytes: number; done(result: never): void; fail(error: Error): void }

type Options = {
  readonly sample_seed: number
  /** Called once when the thread ends without `stop`. */
  readonly onDead: (cause: unknown) => void
}

/** The relay's side of one worker thread: every task is answered once, and all tasks fail when the thread dies. */
export class BodyWorker {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #onDead: (cause: unknown) => void
  #settings: Settings | undefined
  #bytes = 0
  #kept = 0
  #isDead = false
  #isStopping = false

  constructor({ sample_seed, onDead }: Options) {
    this.#onDead = onDead
    // The worker gets none of the process's environment and start options.
    this.#worker = new Worker(new URL('worker-main.ts', import.meta.url), {
      name: 'body worker',
      env: {},
      execArgv: [],
      workerData: { sample_seed } satisfies WorkerData,
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromWorker) => this.#onMessage(message))
    this.#worker.on('error', (cause) => this.#die(cause))
    this.#worker.on('exit', (code) => this.#die(new Error(`the body worker exited with code ${code}`)))
  }

  /** Bytes of the unfinished tasks. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of unfinished tasks. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Bodies that the worker holds, as of its last message. */
  get kept(): number {
    return this.#kept
  }

  /** Sends the configuration to the worker if it has changed. */
  configure({ settings, snapshot }: Pick<RuntimeConfig, 'settings' | 'snapshot'>): void {
    if (this.#settings === settings || this.#isDead) return
    this.#settings = settings
    const texts = relayOptionKeys.map((key) => [key, snapshot.options.get(key)] as const)
    this.#send({ kind: 'options', options: new Map(texts.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== undefined)) })
  }

  run<T extends Task>(id: number, task: T, bytes: number): Promise<Results[T['kind']]> {
    if (this.#isDead) return Promise.reject(new AppError('internal'))
    return new Promise((resolve, reject) => {
      this.#bytes += bytes
      this.#waiting.set(id, { bytes, done: resolve, fail: reject })
      this.#send({ kind: 'task', id, task })
    })
  }

  drop(id: number): void {
    if (!this.#isDead) this.#send({ kind: 'drop', id })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#worker.terminate()
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #onMessage(message: FromWorker): void {
    this.#kept = message.kept
    if (message.kind === 'dropped') return
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    this.#bytes -= waiting?.bytes ?? 0
    if (message.kind === 'done') waiting?.done(message.result as never) // the worker answers each task with its own kind of result
    else if (message.kind === 'failed') waiting?.fail(message.error)
    else waiting?.fail(new AppError(message.refusal.code, message.refusal.params))
  }

  #die(cause: unknown): void {
    if (this.#isDead) return
    this.#isDead = true
    this.#bytes = 0
    this.#kept = 0
    for (const { fail } of this.#waiting.values()) fail(new AppError('internal', {}, { cause }))
    this.#waiting.clear()
    if (!this.#isStopping) this.#onDead(cause)
  }
}
