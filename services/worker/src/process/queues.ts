import { Queue, Worker } from 'bullmq'
import { FAILED_JOBS, QUEUES, type QueueName, type Schedule } from '@tollgate/jobs/job'
import { jobs, type JobName, type JobPayload } from '@tollgate/jobs/jobs'
import { queueConnection, QUEUE_PREFIX } from '@tollgate/jobs/connection'
import type { Redis } from '@tollgate/redis/connect'
import { startLoop, type Loop } from '@tollgate/jobs/loop'
import { withTimeout } from '@tollgate/redis/with-timeout'
import { runJob, type JobRunner } from './run-job.ts'

export type RunningQueues = {
  /** Stops taking jobs and waits for running ones. */
  close(): Promise<void>
}

/** Payloads for which there is work now, for each job that is added when due. */
export type Looks = { readonly [Name in JobName]?: () => Promise<readonly JobPayload<Name>[]> }

type QueueOptions = JobRunner & {
  readonly redisUrl: string
  /** Its reconnects trigger an upsert of the schedulers. */
  readonly redis: Redis
  readonly looks: Looks
  /** Groups of shards that this process posts at the same time. */
  readonly postingGroups: number
  /** Overrides declared intervals. */
  readonly everyMs?: Partial<Record<JobName, number>>
}

const CONCURRENCY: Record<Exclude<QueueName, 'ledger'>, number> = { probe: 8, tasks: 2, mail: 3, webhooks: 2, upkeep: 1, archive: 1 }
/** Beside posting, the queue `ledger` has jobs that must not wait for it: reaping, eviction, the daily check. */
const LEDGER_BESIDE_POSTING = 3
const UPSERT_EVERY_MS = 30_000
const CLEAN_EVERY_MS = 60_000
const ADD_WITHIN_MS = 2000
/** After an error of Redis; BullMQ would wait for 15 s. */
const RETRY_MS = 1000

/** Starts one BullMQ worker per queue and upserts the schedulers regularly, because an emptied Redis loses them without an error. */
export function startQueues({ redisUrl, redis, looks, postingGroups, everyMs = {}, ...runner }: QueueOptions): RunningQueues {
  const { log } = runner
  const options = { connection: queueConnection(redisUrl), prefix: QUEUE_PREFIX }
  const stopping = new AbortController()
  const queues = QUEUES.map((name) => new Queue(name, options))
  const workers = QUEUES.map(
    (name) =>
      new Worker(name, (job) => runJob(runner, job, stopping.signal), {
        ...options,
        concurrency: name === 'ledger' ? postingGroups + LEDGER_BESIDE_POSTING : CONCURRENCY[name],
        runRetryDelay: RETRY_MS,
      }),
  )
  const onError = (err: Error): void => log.debug({ err }, 'Queue connection failed')
  for (const queue of queues) queue.on('error', onError)
  for (const worker of workers) worker.on('error', onError)
  const upsert = (): Promise<void> => upsertSchedulers(queues, everyMs)
  const loops = [
    startLoop({ name: 'schedulers', intervalMs: UPSERT_EVERY_MS, log, run: upsert }),
    startLoop({ name: 'failed-jobs', intervalMs: CLEAN_EVERY_MS, log, run: () => removeOldFailedJobs(queues) }),
    ...startLooks({ queues, looks, everyMs, log }),
  ]
  const onReady = (): void =>
    void upsert().catch((err: unknown) => log.warn({ err }, 'Job schedulers could not be restored after a reconnect'))
  redis.on('ready', onReady)
  return {
    close: async () => {
      stopping.abort()
      redis.off('ready', onReady)
      await Promise.all(loops.map((loop) => loop.stop()))
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

const removeOldFailedJobs = (queues: readonly Queue[]): Promise<unknown> =>
  Promise.all(queues.map((queue) => queue.clean(FAILED_JOBS.age * 1000, FAILED_JOBS.count, 'failed')))

type LooseDeclaration = {
  readonly queue: QueueName
  readonly attempts: number
  readonly schedule?: Schedule<unknown>
}

type LookOptions = Required<Pick<QueueOptions, 'looks' | 'everyMs'>> & { readonly queues: readonly Queue[]; readonly log: JobRunner['log'] }

/** Looks for work of the jobs that are added when due. */
function startLooks({ queues, looks, everyMs, log }: LookOptions): Loop[] {
  return listScheduled(queues).flatMap(({ name, queue, attempts, schedule }) => {
    if (!('whenDueMs' in schedule)) return []
    // The type of `looks` guarantees that the payloads are those of the job.
    const look: (() => Promise<readonly unknown[]>) | undefined = looks[name]
    if (look === undefined) throw new Error(`nothing looks for work of ${name}`)
    const intervalMs = everyMs[name] ?? schedule.whenDueMs
    const run = async (): Promise<void> => {
      const payloads = await look()
      if (payloads.length > 0)
        await withTimeout(add(queue, { name, attempts, payloads, intervalMs }), ADD_WITHIN_MS, 'the queue did not answer')
    }
    return [startLoop({ name: `look-${name}`, intervalMs, log, monotonic: () => performance.now(), run })]
  })
}

type Due = { readonly name: JobName; readonly attempts: number; readonly payloads: readonly unknown[]; readonly intervalMs: number }

/** Several workers find the same work: each payload is added once in an interval, and none while jobs wait in the queue. */
async function add(queue: Queue, { name, attempts, payloads, intervalMs }: Due): Promise<void> {
  if ((await queue.getWaitingCount()) > 0) return
  const jobsToAdd = payloads.map((data) => ({
    name,
    data,
    opts: { ...jobOptions(attempts), deduplication: { id: `${name}:${JSON.stringify(data)}`, ttl: Math.ceil(intervalMs * 0.9) } },
  }))
  await queue.addBulk(jobsToAdd)
}

const jobOptions = (attempts: number) => ({ attempts, removeOnComplete: true, removeOnFail: FAILED_JOBS })

type Scheduled = {
  readonly name: JobName
  readonly queue: Queue
  readonly attempts: number
  readonly schedule: Schedule<unknown>
}

function listScheduled(queues: readonly Queue[]): Scheduled[] {
  // The keys of `jobs` are the job names.
  const names = Object.keys(jobs) as JobName[]
  return names.flatMap((name) => {
    const { queue: queueName, attempts, schedule }: LooseDeclaration = jobs[name]
    const queue = queues.find((one) => one.name === queueName)
    return schedule === undefined || queue === undefined ? [] : [{ name, queue, attempts, schedule }]
  })
}

async function upsertSchedulers(queues: readonly Queue[], everyMs: Partial<Record<JobName, number>>): Promise<void> {
  const upserts = listScheduled(queues).flatMap(({ name, queue, attempts, schedule }) =>
    schedule.payloads.map((data, index) => {
      const id = `${name}-${index}`
      // An earlier version may have scheduled it.
      if ('whenDueMs' in schedule) return queue.removeJobScheduler(id)
      return queue.upsertJobScheduler(id, repeatOf(schedule, everyMs[name]), { name, data, opts: jobOptions(attempts) })
    }),
  )
  await Promise.all(upserts)
}

type Repeated = Exclude<Schedule<unknown>, { readonly whenDueMs: number }>

function repeatOf(schedule: Repeated, everyMs: number | undefined): { every: number } | { pattern: string } {
  if ('everyMs' in schedule) return { every: everyMs ?? schedule.everyMs }
  const [hour, minute] = schedule.dailyAt.split(':').map(Number)
  return { pattern: `${minute} ${hour} * * *` }
}
