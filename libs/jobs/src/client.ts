import { Queue, QueueEvents, type JobsOptions } from 'bullmq'
import { queueConnection, QUEUE_PREFIX } from './connection.ts'
import { FAILED_JOBS, type QueueName } from './job.ts'
import { jobs, type JobName, type JobPayload, type JobResult } from './jobs.ts'
import { createQueueAdmin, type QueueAdmin } from './queue-admin.ts'

/** Metadata of a job beside its payload. */
export type Carried = {
  /** The trace that the job belongs to. */
  readonly traceparent?: string | undefined
}

export type JobClient = QueueAdmin & {
  /** Adds a job to its queue, unless a job with the same deduplication key already waits or runs. */
  enqueue<Name extends JobName>(name: Name, payload: JobPayload<Name>, carried?: Carried): Promise<void>
  /** Adds a job and waits for its result; 'timeout' when there is none within `deadlineMs`. Rejects when the job failed. */
  ask<Name extends JobName>(
    name: Name,
    payload: JobPayload<Name>,
    deadlineMs: number,
    carried?: Carried,
  ): Promise<JobResult<Name> | 'timeout'>
  close(): Promise<void>
}

/** Client for services that enqueue jobs. Connections open on first use. */
export function createJobClient(redisUrl: string): JobClient {
  const queues = new Map<QueueName, Queue>()
  const events = new Map<QueueName, QueueEvents>()
  const options = { connection: queueConnection(redisUrl), prefix: QUEUE_PREFIX }

  const queueOf = (name: QueueName): Queue => {
    const queue = queues.get(name) ?? quiet(new Queue(name, options))
    queues.set(name, queue)
    return queue
  }
  const eventsOf = async (name: QueueName): Promise<QueueEvents> => {
    const found = events.get(name) ?? quiet(new QueueEvents(name, options))
    events.set(name, found)
    await found.waitUntilReady()
    return found
  }
  return {
    ...createQueueAdmin(queueOf),
    enqueue: async (name, payload, carried) => {
      await queueOf(jobs[name].queue).add(name, payload, { ...optionsOf(name, payload, carried), removeOnComplete: true })
    },
    ask: async (name, payload, deadlineMs, carried) => {
      const heard = await eventsOf(jobs[name].queue)
      // Kept for a minute: the result may exist before the listener does.
      const options = { ...optionsOf(name, payload, carried), removeOnComplete: { age: 60 } }
      const added = await queueOf(jobs[name].queue).add(name, payload, options)
      const { promise: expired, resolve } = Promise.withResolvers<'timeout'>()
      const timer = setTimeout(() => resolve('timeout'), deadlineMs)
      try {
        const finished = added.waitUntilFinished(heard)
        finished.catch(() => undefined)
        const result: unknown = await Promise.race([finished, expired])
        if (result === 'timeout') return 'timeout'
        // The cast selects the schema's output type; this job's parser has validated the value.
        return declarationOf(name).result.parse(result) as JobResult<typeof name>
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      await Promise.all([...queues.values(), ...events.values()].map((one) => one.close()))
    },
  }
}

/** Without a listener an unreachable Redis would end the process. Callers see the failure of their own call. */
function quiet<T extends { on(event: 'error', listener: () => void): unknown }>(emitter: T): T {
  emitter.on('error', () => undefined)
  return emitter
}

function optionsOf<Name extends JobName>(name: Name, payload: JobPayload<Name>, { traceparent }: Carried = {}): JobsOptions {
  const { attempts, backoffMs, dedupe } = declarationOf(name)
  return {
    attempts,
    removeOnFail: FAILED_JOBS,
    ...(backoffMs === undefined ? {} : { backoff: { type: 'exponential', delay: backoffMs } }),
    ...(dedupe === undefined ? {} : { deduplication: { id: `${name}:${dedupe(payload)}` } }),
    ...(traceparent === undefined ? {} : { telemetry: { metadata: traceparent } }),
  }
}

type LooseDeclaration = {
  attempts: number
  backoffMs?: number
  dedupe?: (payload: unknown) => string
  result: { parse(value: unknown): unknown }
}

function declarationOf(name: JobName): LooseDeclaration {
  // Reads the union of declarations as one shape; every caller takes payload and name from the same `Name`.
  return jobs[name] as unknown as LooseDeclaration
}
