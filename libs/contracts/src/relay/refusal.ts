import { z } from 'zod'
import { ErrorParams } from '../errors/params.ts'
import { Millis, UnixMillis } from '../units.ts'

/**
 * Requests of a known token that were refused before they held money (ADR 39). A relay appends them to one stream in batches; the worker
 * turns them into log rows and counts.
 */
export const RefusedRequest = z.object({
  request_id: z.string(),
  /** When the request began. */
  at: UnixMillis,
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  group: z.string(),
  /** As the client wrote it; empty when it was refused before its body was read. */
  model: z.string(),
  /** The configuration knows the model; other names are not kept as a model of the log. */
  is_known_model: z.boolean(),
  is_stream: z.boolean(),
  /** The row of the error table. */
  reason: z.string(),
  /** Error code that the client received. */
  error_code: z.string(),
  error_type: z.string(),
  status: z.int(),
  message: z.string(),
  /** Fill the texts about the reason. */
  params: ErrorParams,
  duration_ms: Millis,
  client: z.object({ ip: z.string(), user_agent: z.string(), method: z.string(), path: z.string() }),
})
export type RefusedRequest = z.infer<typeof RefusedRequest>

/** How many requests of a token were refused for one reason in one minute, including those without a row. */
export const RefusalCount = z.object({
  /** Unix seconds of the minute's start. */
  minute: z.int(),
  /** 0 together with `token_id` when too many tokens were refused at once to count each. */
  user_id: z.int(),
  token_id: z.int(),
  reason: z.string(),
  seen: z.int().positive(),
})
export type RefusalCount = z.infer<typeof RefusalCount>

export const RefusalBatch = z.object({ requests: z.array(RefusedRequest), counts: z.array(RefusalCount) })
export type RefusalBatch = z.infer<typeof RefusalBatch>

/** Rows of all tokens together in one minute. */
export const MAX_REFUSED_ROWS_PER_MINUTE = 3000
