import { Queue, Worker } from 'bullmq'
import { QUEUES, type QueueName, type Schedule } from '@tollgate/jobs/job'
import { jobs, type JobName } from '@tollgate/jobs/jobs'
import { queueConnection, QUEUE_PREFIX } from '@tollgate/jobs/connection'
import type { Redis } from '@tollgate/redis/connect'
import { startLoop } from '@tollgate/jobs/loop'
import { runJob, type JobRunner } from './run-job.ts'

export type RunningQueues = {
  /** Stops taking jobs and waits for running ones. */
  close(): Promise<void>
}

type QueueOptions = JobRunner & {
  readonly redisUrl: string
  /** Its reconnects trigger an upsert of the schedulers. */
  readonly redis: Redis
  /** Overrides declared intervals. */
  readonly everyMs?: Partial<Record<JobName, number>>
}

const CONCURRENCY: Record<QueueName, number> = { probe: 8, tasks: 2, ledger: 7, mail: 3, upkeep: 1 }
const UPSERT_EVERY_MS = 30_000

/** Starts one BullMQ worker per queue and upserts the schedulers regularly, because an emptied Redis loses them without an error. */
export function startQueues({ redisUrl, redis, everyMs = {}, ...runner }: QueueOptions): RunningQueues {
  const { log } = runner
  const options = { connection: queueConnection(redisUrl), prefix: QUEUE_PREFIX }
  const stopping = new AbortController()
  const queues = QUEUES.map((name) => new Queue(name, options))
  const workers = QUEUES.map(
    (name) => new Worker(name, (job) => runJob(runner, job, stopping.signal), { ...options, concurrency: CONCURRENCY[name] }),
  )
  const onError = (err: Error): void => log.debug({ err }, 'Queue connection failed')
  for (const queue of queues) queue.on('error', onError)
  for (const worker of workers) worker.on('error', onError)
  const upsert = (): Promise<void> => upsertSchedulers(queues, everyMs)
  const loop = startLoop({ name: 'schedulers', intervalMs: UPSERT_EVERY_MS, log, run: upsert })
  const onReady = (): void =>
    void upsert().catch((err: unknown) => log.warn({ err }, 'Job schedulers could not be restored after a reconnect'))
  redis.on('ready', onReady)
  return {
    close: async () => {
      stopping.abort()
      redis.off('ready', onReady)
      await loop.stop()
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

type LooseDeclaration = {
  readonly queue: QueueName
  readonly attempts: number
  readonly schedule?: Schedule<unknown>
}

async function upsertSchedulers(queues: readonly Queue[], everyMs: Partial<Record<JobName, number>>): Promise<void> {
  // The keys of `jobs` are the job names.
  const names = Object.keys(jobs) as JobName[]
  for (const name of names) {
    const { queue: queueName, attempts, schedule }: LooseDeclaration = jobs[name]
    const queue = queues.find((one) => one.name === queueName)
    if (schedule === undefined || queue === undefined) continue
    for (const [index, data] of schedule.payloads.entries()) {
      await queue.upsertJobScheduler(`${name}-${index}`, repeatOf(schedule, everyMs[name]), {
        name,
        data,
        opts: { attempts, removeOnComplete: true, removeOnFail: { age: 3600, count: 100 } },
      })
    }
  }
}

function repeatOf(schedule: Schedule<unknown>, everyMs: number | undefined): { every: number } | { pattern: string } {
  if ('everyMs' in schedule) return { every: everyMs ?? schedule.everyMs }
  const [hour, minute] = schedule.dailyAt.split(':').map(Number)
  return { pattern: `${minute} ${hour} * * *` }
}
