import type { z } from 'zod'

/** Calls to vendors (`probe`, `tasks`), money (`ledger`), mails (`mail`), calls to addresses of users (`webhooks`), housekeeping (`upkeep`), searches of the archive (`archive`). */
export const QUEUES = ['probe', 'tasks', 'ledger', 'mail', 'webhooks', 'upkeep', 'archive'] as const
export type QueueName = (typeof QUEUES)[number]

/** Failed jobs that a queue keeps, for the health page. BullMQ removes older ones only when another job of the queue fails. */
export const FAILED_JOBS = { /** Seconds. */ age: 3600, count: 100 } as const

export type Schedule<Payload> = (
  | { readonly everyMs: number }
  | { /** HH:MM in the worker's time zone. */ readonly dailyAt: string }
  | { /** The worker looks this often whether there is work, and adds the job if there is. */ readonly whenDueMs: number }
) & {
  /** One scheduler per payload; of a job that is added when due, all payloads that there are. */
  readonly payloads: readonly Payload[]
}

export type JobDeclaration<Name extends string, Payload extends z.ZodType, Result extends z.ZodType> = {
  readonly name: Name
  readonly queue: QueueName
  /** Maximum number of tries; handlers are safe to run twice. */
  readonly attempts: number
  readonly backoffMs?: number
  /** Then the handler's signal aborts and the job fails. */
  readonly timeoutMs: number
  readonly payload: Payload
  readonly result: Result
  /** Deduplication key: a job is not added while one with the same key waits or runs. */
  readonly dedupe?: (payload: z.output<Payload>) => string
  readonly schedule?: Schedule<z.input<Payload>>
  /** One line for docs/generated/jobs.md. */
  readonly summary: string
}

/** Declares a job. Queue, worker, documentation and clients read this declaration. */
export function job<const Name extends string, Payload extends z.ZodType, Result extends z.ZodType>(
  name: Name,
  declaration: Omit<JobDeclaration<Name, Payload, Result>, 'name'>,
): JobDeclaration<Name, Payload, Result> {
  return { name, ...declaration }
}

export type PayloadOf<J> = J extends JobDeclaration<string, infer Payload, z.ZodType> ? z.output<Payload> : never
export type ResultOf<J> = J extends JobDeclaration<string, z.ZodType, infer Result> ? z.output<Result> : never
