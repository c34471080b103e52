import { UnrecoverableError, type Job } from 'bullmq'
import { withStatements, type StatementKind } from '@tollgate/db/statement-limits'
import { jobs, type Handlers, type JobContext, type JobName } from '@tollgate/jobs/jobs'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { parentOf, startSpan } from '@tollgate/telemetry/spans'
import type { Observer } from '../telemetry/observe.ts'

type LooseDeclaration = {
  readonly timeoutMs: number
  readonly payload: { safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: { message: string } } }
  readonly result: { parse(value: unknown): unknown }
}
type LooseHandler = (payload: unknown, context: JobContext) => Promise<unknown>

export type JobRunner = {
  readonly handlers: Handlers
  readonly log: Pick<Logger, 'debug' | 'warn'>
  readonly observer: Pick<Observer, 'jobEnded'>
  readonly tracer: Telemetry['tracer']
}

/** Runs a job: validates payload and result, sets the deadline, opens a span in the sender's trace, measures and logs. */
export async function runJob({ handlers, log, observer, tracer }: JobRunner, job: Job, stopping: AbortSignal): Promise<unknown> {
  const name = toJobName(job.name)
  const attempt = job.attemptsMade + 1
  const span = startSpan(tracer, {
    name: `job ${name}`,
    kind: 'consumer',
    parent: parentOf(job.opts.telemetry?.metadata),
    attributes: { job: name, job_id: job.id ?? '', queue: job.queueName, attempt },
  })
  const traced = span === undefined ? {} : { trace_id: span.trace_id, span_id: span.span_id }
  const fields = { job: name, job_id: job.id ?? '', queue: job.queueName, attempt, ...traced }
  const startedAt = performance.now()
  try {
    const result = await callHandler(handlers, name, { data: job.data, attempt, stopping })
    const duration = performance.now() - startedAt
    log.debug({ ...fields, duration_ms: Math.round(duration) }, 'Job done')
    observer.jobEnded(name, 'done', duration / 1000)
    span?.end()
    return result
  } catch (err) {
    const duration = performance.now() - startedAt
    log.warn({ ...fields, duration_ms: Math.round(duration), err }, 'Job failed')
    observer.jobEnded(name, 'failed', duration / 1000)
    span?.end({ error: err })
    throw err
  }
}

type Call = { readonly data: unknown; readonly attempt: number; readonly stopping: AbortSignal }

async function callHandler(handlers: Handlers, name: JobName, { data, attempt, stopping }: Call): Promise<unknown> {
  // The unions are read as one shape; the type of `handlers` guarantees that declaration and handler of a name match.
  const declaration = jobs[name] as unknown as LooseDeclaration
  const handler = handlers[name] as LooseHandler
  const payload = declaration.payload.safeParse(data)
  if (!payload.success) throw new UnrecoverableError(`payload of ${name}: ${payload.error.message}`)

  const timeout = AbortSignal.timeout(declaration.timeoutMs)
  const result = await Promise.race([
    withStatements(statementsOf(declaration), () => handler(payload.data, { signal: AbortSignal.any([timeout, stopping]), attempt })),
    rejectOn(timeout, `${name} did not finish within ${declaration.timeoutMs} ms`),
  ])
  return declaration.result.parse(result)
}

/** A job that runs often is fast; one that runs for an hour sends many statements, or says itself that some take long. */
const statementsOf = ({ timeoutMs }: LooseDeclaration): StatementKind => (timeoutMs <= 30_000 ? 'call' : 'batch')

function toJobName(name: string): JobName {
  if (Object.hasOwn(jobs, name)) return name as JobName // hasOwn proves it
  throw new UnrecoverableError(`there is no job named ${name}`)
}

function rejectOn(signal: AbortSignal, message: string): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(new Error(message)), { once: true })
  return promise
}
