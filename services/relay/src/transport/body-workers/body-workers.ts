import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import type { Family } from '@tollgate/domain/pricing/estimate'
import type { RequestFacts, RouteFacts } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/operations/operation'
import type { Logger } from '@tollgate/telemetry/logger'
import type { RuntimeConfig } from '../../config/runtime-config.ts'
import type { Content } from '../../request/content.ts'
import { operations } from '../../client-apis/operations.ts'
import type { CountTask, OperationKey, ReadTask, SearchTask } from './messages.ts'
import { BodyWorker } from './body-worker.ts'
import { WorkerContent, type Holder } from './worker-content.ts'

/** From this size on a body is parsed away from the loop, which would stall every stream of the process for as long. */
export const LARGE_BODY = 256 * 1024
/** From this many characters on sensitive words are searched away from the loop. */
export const LONG_TEXT = 64 * 1024
/** Answers beyond this are estimated, and so are those that a busy thread does not come to in time. */
const MAX_COUNTED = 256 * 1024
const COUNT_MS = 1000

export type LargeBody = {
  readonly operation: Operation
  readonly route: RouteFacts
  /** On shared memory: nothing is copied. */
  readonly bytes: Buffer
  readonly user_id: number
}

/** What would take long on the loop, done elsewhere. */
export type BodyWorkers = {
  /** Parses and checks a body. Refuses with what is wrong with it, or with 503 when too many wait. */
  read(body: LargeBody): Promise<{ readonly facts: RequestFacts; readonly content: Content }>
  /** Whether a sensitive word is in one of the texts. Refuses with 503 when too many wait. */
  search(texts: readonly string[]): Promise<boolean>
  /** Tokens of an answer; undefined when it is too long, or when counting takes too long. */
  count(texts: readonly string[], family: Family): Promise<number | undefined>
  /** Bodies that are held. */
  readonly kept: number
  /** Tasks that wait for an answer. */
  readonly waiting: number
  stop(): Promise<void>
}

type Options = {
  readonly env: { readonly RELAY_POOL_THREADS: number; readonly RELAY_POOL_QUEUE: number }
  readonly config: Pick<RuntimeConfig, 'settings' | 'snapshot'>
  readonly log: Logger
}

/** A small pool of threads. One starts when there is work for it, and another takes its place when it dies. */
export function createBodyWorkers(options: Options): BodyWorkers {
  return new BodyWorkerPool(options)
}

type PoolTask = ReadTask | SearchTask | CountTask

class BodyWorkerPool implements BodyWorkers {
  readonly #threads = new Set<BodyWorker>()
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

  async read({ operation, route, bytes, user_id }: LargeBody): Promise<{ readonly facts: RequestFacts; readonly content: Content }> {
    const key = keys.get(operation)
    if (key === undefined) throw new Error(`operation ${operation.name} is not known to the threads`)
    const { length } = bytes
    const { thread, id, result } = this.#begin({ kind: 'read', operation: key, route, bytes, user_id }, length)
    const read = await result
    // Lives as long as the request: it must not keep the bytes.
    const holder: Holder = {
      encode: (task) => {
        thread.follow(this.#options.config)
        return thread.run(this.#nextId(), { ...task, kind: 'encode', body: id }, length)
      },
      drop: () => thread.drop(id),
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
      // Too many wait, or the thread died and said so: the answer is estimated.
      if (!(error instanceof AppError)) this.#options.log.warn({ err: error }, 'the tokens of an answer could not be counted')
      return undefined
    } finally {
      timer.abort()
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.stop()))
  }

  #begin<T extends PoolTask>(task: T, bytes: number) {
    const { config, env } = this.#options
    const thread = this.#choose()
    if (thread.waiting >= env.RELAY_POOL_QUEUE) throw new AppError('request.busy')
    thread.follow(config)
    const id = this.#nextId()
    return { thread, id, result: thread.run(id, task, bytes) }
  }

  /** The one with the least to do; a new one while there may be more. */
  #choose(): BodyWorker {
    const [best = this.#start()] = [...this.#threads].toSorted((left, right) => left.bytes - right.bytes || left.waiting - right.waiting)
    return best.waiting > 0 && this.#threads.size < this.#options.env.RELAY_POOL_THREADS ? this.#start() : best
  }

  #start(): BodyWorker {
    const thread = new BodyWorker({
      onDead: (err) => {
        this.#threads.delete(thread)
        this.#options.log.error({ err }, 'a thread for large bodies ended; its requests failed')
      },
    })
    this.#threads.add(thread)
    return thread
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  #sum(numberOf: (thread: BodyWorker) => number): number {
    return this.#threads.values().reduce((total, thread) => total + numberOf(thread), 0)
  }
}

const keys = new Map(Object.entries(operations).map(([key, operation]) => [operation as Operation, key as OperationKey])) // the object's own keys

const lengthOf = (texts: readonly string[]) => texts.reduce((length, text) => length + text.length, 0)
