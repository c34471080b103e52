import { z } from 'zod'
import { UnixSeconds } from '../units.ts'

/** Requests that the worker sends later: lines of batches and background responses (docs/adr/0074-deferred-requests.md). */

/** Operations that a batch may call, by the path that its lines name. */
export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/responses',
  '/v1/messages',
] as const
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number]
/** Batches of Google's API, whose path names the model. */
export type GeminiBatchEndpoint = `/v1beta/models/${string}:${'generateContent' | 'embedContent'}`
const GEMINI_BATCH_ENDPOINT = /^\/v1beta\/models\/[^/]+:(?:generateContent|embedContent)$/
export const isGeminiBatch = (endpoint: string): endpoint is GeminiBatchEndpoint => GEMINI_BATCH_ENDPOINT.test(endpoint)
/** Every path to which the lines of a batch are sent. */
export const AnyBatchEndpoint = z.union([z.enum(BATCH_ENDPOINTS), z.string().max(300).refine(isGeminiBatch)])
/** Batches of Anthropic's API, which has a list of its own for them. */
export const MESSAGE_BATCH_ENDPOINT = '/v1/messages' satisfies BatchEndpoint
export const BATCH_APIS = ['openai', 'anthropic', 'gemini'] as const
export type BatchApi = (typeof BATCH_APIS)[number]

/** Length of an id, in characters. */
export const MAX_DEFERRED_ID = 100
/** Size of one file; uploads are held in memory once. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024
export const MAX_FILES = 1000
/** A file is stored, sent and read in pieces of this size. */
export const FILE_PIECE = 384 * 1024
/** Parts of one upload. */
export const MAX_PARTS = 1000
/** Pieces of one part, which has as many numbers of pieces. */
export const PART_PIECES = 256
/** How long an upload waits for its parts. */
export const UPLOAD_LIFETIME_S = 3600
export const FILE_LIFETIME_S = 30 * 86_400
export const MAX_BATCH_LINES = 50_000
export const MAX_LINE_BYTES = 2 * 1024 * 1024
export const BATCH_WINDOW_S = 86_400
/** Batches of one user that have not ended. */
export const MAX_OPEN_BATCHES = 20
/** A longer body or answer is sent and stored in pieces, so that no call about it is large. */
export const MAX_INLINE_BYTES = 64 * 1024
/** Characters of what is kept of a request besides its body. */
export const MAX_RESPONSE_FACTS = 64 * 1024
/** Characters of a background request. */
export const MAX_RESPONSE_BODY = 8 * 1024 * 1024
/** Calls that can run in the background. */
export const BACKGROUND_ENDPOINTS = ['/v1/responses', '/v1beta/interactions'] as const
export type BackgroundEndpoint = (typeof BACKGROUND_ENDPOINTS)[number]
export const RESPONSE_WINDOW_S = 6 * 3600
/** An ended background response is kept this long. */
export const RESPONSE_LIFETIME_S = 86_400

/** `user_data` and `vision`: documents and pictures that prompts refer to. */
export const FILE_PURPOSES = ['batch', 'batch_output', 'user_data', 'vision'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]
export const StoredFile = z.object({
  id: z.string(),
  filename: z.string(),
  purpose: z.enum(FILE_PURPOSES),
  bytes: z.int(),
  /** Null: unknown, as of files of batches. */
  mime_type: z.string().nullable().default(null),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
})
export type StoredFile = z.infer<typeof StoredFile>

export const BATCH_STATUSES = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

export const BatchFault = z.object({ code: z.string(), line: z.int().nullable(), message: z.string(), param: z.string().nullable() })
export type BatchFault = z.infer<typeof BatchFault>

export const BatchRecord = z.object({
  id: z.string(),
  endpoint: AnyBatchEndpoint,
  input_file_id: z.string(),
  output_file_id: z.string(),
  error_file_id: z.string(),
  status: z.enum(BATCH_STATUSES),
  errors: z.array(BatchFault),
  metadata: z.record(z.string(), z.string()).nullable(),
  total: z.int(),
  completed: z.int(),
  failed: z.int(),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
  in_progress_at: UnixSeconds,
  finalizing_at: UnixSeconds,
  completed_at: UnixSeconds,
  failed_at: UnixSeconds,
  expired_at: UnixSeconds,
  cancelling_at: UnixSeconds,
  cancelled_at: UnixSeconds,
  input_tokens: z.int(),
  cached_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  /** Lines that were never sent; also counted in `failed`. */
  cancelled: z.int().default(0),
  expired: z.int().default(0),
})
export type BatchRecord = z.infer<typeof BatchRecord>

export const DEFERRED_STATES = ['pending', 'running', 'ended'] as const
/** How a deferred request ended. `interrupted`: it was sent, and its answer was lost; it is not sent again. */
export const DEFERRED_OUTCOMES = ['', 'answered', 'cancelled', 'expired', 'interrupted'] as const
export type DeferredOutcome = (typeof DEFERRED_OUTCOMES)[number]

export const DEFERRED_PARTS = ['body', 'answer'] as const
export type DeferredPart = (typeof DEFERRED_PARTS)[number]

export const DeferredRecord = z.object({
  id: z.string(),
  state: z.enum(DEFERRED_STATES),
  outcome: z.enum(DEFERRED_OUTCOMES),
  /** HTTP status of the answer; 0: none. */
  status: z.int(),
  request_id: z.string(),
  /** Empty while there is none, and where it is in pieces. */
  answer: z.string(),
  has_answer_pieces: z.boolean(),
  /** The id under which the answer was made; empty: there is none. */
  made_id: z.string(),
  /** Fields of the request that its response repeats, as JSON. */
  facts: z.string(),
  created_at: UnixSeconds,
})
export type DeferredRecord = z.infer<typeof DeferredRecord>
