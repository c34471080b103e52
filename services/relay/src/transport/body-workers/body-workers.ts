import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import type { Family } from '@tollgate/domain/pricing/estimate'
import type { RequestFacts, RouteFacts } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/calls/operation'
import type { Logger } from '@tollgate/telemetry/logger'
import type { RuntimeConfig } from '../../config/runtime-config.ts'
import type { Content } from '../content.ts'
import { operations } from '../../operations.ts'
import type { CountTask, OperationKey, ReadTask, SearchTask } from './messages.ts'
import { BodyWorker } from './body-worker.ts'
import { WorkerContent, type Holder } from './worker-content.ts'

/** Larger bodies are parsed by a body worker, because parsing them would stall every stream of the process. */
export const LARGE_BODY = 256 * 1024
/** Longer texts are searched for sensitive words by a body worker. */
export const LONG_TEXT = 64 * 1024
/** Longer answers are estimated instead of counted, and so are those that are not counted within COUNT_MS. */
const MAX_COUNTED = 256 * 1024
const COUNT_MS = 1000

export type LargeBody = {
  readonly operation: Operation
  readonly route: RouteFacts
  /** In shared memory, so it is not copied. */
  readonly bytes: Buffer
  readonly user_id: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Runs work that would block the event loop in worker threads. */
export type BodyWorkers = {
  /** Parses and checks a body. Throws its error, or 503 when too many tasks wait. */
  read(body: LargeBody): Promise<{ readonly facts: RequestFacts; readonly content: Content }>
  /** True if one of the texts contains a sensitive word. Throws 503 when too many tasks wait. */
  search(texts: readonly string[]): Promise<boolean>
  /** Tokens of an answer; undefined when the answer or the count takes too long. */
  count(texts: readonly string[], family: Family): Promise<number | undefined>
  /** Parsed bodies that the workers hold. */
  readonly kept: number
  /** Unfinished tasks. */
  readonly waiting: number
  stop(): Promise<void>
}

type Options = {
  readonly sample_seed: number
  readonly env: { readonly RELAY_POOL_THREADS: number; readonly RELAY_POOL_QUEUE: number }
  readonly config: Pick<RuntimeConfig, 'settings' | 'snapshot'>
  readonly log: Logger
}

/** Creates a small pool of worker threads, which start on demand and are replaced when they die. */
export function createBodyWorkers(options: Options): BodyWorkers {
  return new BodyWorkerPool(options)
}

type PoolTask = ReadTask | SearchTask | CountTask

class BodyWorkerPool implements BodyWorkers {
  readonly #workers = new Set<BodyWorker>()
  readonly #options: Options
  #lastId = 0

  constructor(options: Options) {
    this.#options = options
  }

  get kept(): number {
    return this.#sum(({ kept }) => kept)
  }

  get waiting(): number {
    return this.#sum(({ waiting }) => waiting)
  }

  async read({
    operation,
    route,
    bytes,
    user_id,
    path,
    headers,
  }: LargeBody): Promise<{ readonly facts: RequestFacts; readonly content: Content }> {
    const key = keys.get(operation)
    if (key === undefined) throw new Error(`operation ${operation.name} is unknown to body workers`)
    const { length } = bytes
    const { worker, id, result } = this.#begin({ kind: 'read', operation: key, route, bytes, user_id, path, headers }, length)
    const read = await result
    // The holder lives as long as the request and must not keep the bytes.
    const holder: Holder = {
      encode: (task) => {
        worker.configure(this.#options.config)
        return worker.run(this.#nextId(), { ...task, kind: 'encode', body: id }, length)
      },
      describe: () => worker.run(this.#nextId(), { kind: 'describe', body: id }, 0),
      drop: () => worker.drop(id),
    }
    return { facts: read.facts, content: new WorkerContent(operation, read, holder) }
  }

  async search(texts: readonly string[]): Promise<boolean> {
    return await this.#begin({ kind: 'search', texts }, lengthOf(texts)).result
  }

  async count(texts: readonly string[], family: Family): Promise<number | undefined> {
    const length = lengthOf(texts)
    if (length > MAX_COUNTED) return undefined
    const timer = new AbortController()
    try {
      const late = wait(COUNT_MS, undefined, { ref: false, signal: timer.signal })
      return await Promise.race([this.#begin({ kind: 'count', texts, family }, length).result, late])
    } catch (error) {
      // The queue is full or the worker died: the answer is estimated.
      if (!(error instanceof AppError)) this.#options.log.warn({ err: error }, 'Counting the tokens of an answer failed')
      return undefined
    } finally {
      timer.abort()
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()))
  }

  #begin<T extends PoolTask>(task: T, bytes: number) {
    const { config, env } = this.#options
    const worker = this.#choose()
    if (worker.waiting >= env.RELAY_POOL_QUEUE) throw new AppError('request.busy')
    worker.configure(config)
    const id = this.#nextId()
    return { worker, id, result: worker.run(id, task, bytes) }
  }

  /** The worker with the least work; a new one if all are busy and the pool may grow. */
  #choose(): BodyWorker {
    const [best = this.#start()] = [...this.#workers].toSorted((left, right) => left.bytes - right.bytes || left.waiting - right.waiting)
    return best.waiting > 0 && this.#workers.size < this.#options.env.RELAY_POOL_THREADS ? this.#start() : best
  }

  #start(): BodyWorker {
    const worker = new BodyWorker({
      sample_seed: this.#options.sample_seed,
      onDead: (err) => {
        this.#workers.delete(worker)
        this.#options.log.error({ err }, 'Body worker died; its requests failed')
      },
    })
    this.#workers.add(worker)
    return worker
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  #sum(numberOf: (worker: BodyWorker) => number): number {
    return this.#workers.values().reduce((total, worker) => total + numberOf(worker), 0)
  }
}

const keys = new Map(Object.entries(operations).map(([key, operation]) => [operation as Operation, key as OperationKey])) // the object's own keys

const lengthOf = (texts: readonly string[]) => texts.reduce((length, text) => length + text.length, 0)
