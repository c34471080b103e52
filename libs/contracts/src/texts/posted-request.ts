import { z } from 'zod'
import { UnixSeconds } from '../units.ts'

/**
 * The part of one posted request that a sink gets: a line of an object, or an element of event `request.posted`. No prompt, answer or error text.
 * `id` and `kind` are unique together; a request can arrive more than once.
 */
export const PostedRequest = z.object({
  v: z.literal(1),
  /** The request id that the client received. */
  id: z.string(),
  /** `late`: charged after its end was lost; `refund`: given back for a task that failed. */
  kind: z.enum(['charge', 'failed', 'late', 'refund']),
  /** When it was charged. */
  at: UnixSeconds,
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  group: z.string(),
  /** The model that served it. */
  model: z.string(),
  /** The model of the request, where it has a chain of models and another one served it. */
  asked_model: z.string().optional(),
  channel_id: z.int(),
  is_stream: z.boolean(),
  seconds: z.int(),
  /** Milliseconds to the first byte of a streamed answer. */
  first_token_ms: z.number().optional(),
  /** HTTP status and error code that the client received. */
  status: z.int().optional(),
  error_code: z.string().optional(),
  ended_by: z.string().optional(),
  /** Calls to channels. */
  attempts: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Counts by kind, as the charge is computed from them. */
  usage: z.unknown(),
  quota: z.int(),
  /** The charge in US dollars, as a decimal. */
  usd: z.string(),
  /** Requests of one conversation share it. */
  session: z.string().optional(),
})
export type PostedRequest = z.infer<typeof PostedRequest>
