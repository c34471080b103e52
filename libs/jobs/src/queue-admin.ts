import type { Job, Queue } from 'bullmq'
import { QUEUES, type QueueName } from './job.ts'

/** Views of the queues for operators, and actions on failed jobs. */
export type QueueAdmin = {
  /** Jobs of every queue by state. */
  counts(): Promise<QueueCounts[]>
  /** The newest failed jobs of a queue. */
  listFailed(queue: QueueName, limit: number): Promise<FailedJob[]>
  /** Runs a failed job again, or removes it; false when the queue has no failed job with this id. */
  retry(queue: QueueName, id: string): Promise<boolean>
  remove(queue: QueueName, id: string): Promise<boolean>
}

type QueueCounts = {
  readonly queue: QueueName
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
}

type FailedJob = {
  readonly id: string
  readonly name: string
  readonly payload: unknown
  readonly reason: string
  readonly attempts: number
  /** Unix milliseconds. */
  readonly failed_at: number
}

export function createQueueAdmin(queueOf: (name: QueueName) => Queue): QueueAdmin {
  const findFailed = async (queue: QueueName, id: string): Promise<Job | undefined> => {
    const job: Job | undefined = await queueOf(queue).getJob(id)
    return (await job?.isFailed()) === true ? job : undefined
  }
  return {
    counts: () => Promise.all(QUEUES.map((name) => countJobs(name, queueOf(name)))),
    listFailed: async (queue, limit) => {
      const failed = await queueOf(queue).getFailed(0, limit - 1)
      return failed.map(({ id, name, data, failedReason, attemptsMade, finishedOn }) => ({
        id: id ?? '',
        name,
        payload: data,
        reason: failedReason ?? '',
        attempts: attemptsMade,
        failed_at: finishedOn ?? 0,
      }))
    },
    retry: async (queue, id) => {
      const job = await findFailed(queue, id)
      await job?.retry('failed')
      return job !== undefined
    },
    remove: async (queue, id) => {
      const job = await findFailed(queue, id)
      await job?.remove()
      return job !== undefined
    },
  }
}

async function countJobs(name: QueueName, queue: Queue): Promise<QueueCounts> {
  const count = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed')
  const of = (state: string): number => count[state] ?? 0
  return { queue: name, waiting: of('wait') + of('prioritized'), active: of('active'), delayed: of('delayed'), failed: of('failed') }
}
