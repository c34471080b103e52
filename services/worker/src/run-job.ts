import { UnrecoverableError, type Job } from 'bullmq'
import { jobs, type Handlers, type JobContext, type JobName } from '@tollgate/jobs/jobs'
import type { Logger } from '@tollgate/telemetry/logger'

type LooseDeclaration = {
  readonly timeoutMs: number
  readonly payload: { safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: { message: string } } }
  readonly result: { parse(value: unknown): unknown }
}
type LooseHandler = (payload: unknown, context: JobContext) => Promise<unknown>

/** The one wrapper around every handler: validation both ways, deadline, log line. */
export async function runJob(
  handlers: Handlers,
  log: Pick<Logger, 'info' | 'debug' | 'warn'>,
  job: Job,
  stopping: AbortSignal,
): Promise<unknown> {
  const name = toJobName(job.name)
  // Border: the unions are read as one shape; declaration and handler of one name fit each other by the type of `handlers`.
  const declaration = jobs[name] as unknown as LooseDeclaration
  const handler = handlers[name] as LooseHandler
  const payload = declaration.payload.safeParse(job.data)
  if (!payload.success) throw new UnrecoverableError(`payload of ${name}: ${payload.error.message}`)

  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(declaration.timeoutMs)
  const fields = { job: name, job_id: job.id ?? '', queue: job.queueName, attempt: job.attemptsMade + 1 }
  try {
    const result = await Promise.race([
      handler(payload.data, { signal: AbortSignal.any([timeout, stopping]), attempt: job.attemptsMade + 1 }),
      rejectOn(timeout, `${name} did not end within ${declaration.timeoutMs} ms`),
    ])
    log.debug({ ...fields, duration_ms: Math.round(performance.now() - startedAt) }, 'job done')
    return declaration.result.parse(result)
  } catch (err) {
    log.warn({ ...fields, duration_ms: Math.round(performance.now() - startedAt), err }, 'job failed')
    throw err
  }
}

function toJobName(name: string): JobName {
  if (Object.hasOwn(jobs, name)) return name as JobName // hasOwn has just proved it
  throw new UnrecoverableError(`no job is called ${name}`)
}

function rejectOn(signal: AbortSignal, message: string): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(new Error(message)), { once: true })
  return promise
}
