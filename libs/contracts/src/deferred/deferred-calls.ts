import { z } from 'zod'
import {
  AnyBatchEndpoint,
  BACKGROUND_ENDPOINTS,
  BATCH_APIS,
  BatchRecord,
  DEFERRED_PARTS,
  DeferredRecord,
  FILE_LIFETIME_S,
  FILE_PIECE,
  FILE_PURPOSES,
  MAX_DEFERRED_ID,
  MAX_FILE_BYTES,
  MAX_INLINE_BYTES,
  MAX_PARTS,
  MAX_RESPONSE_FACTS,
  StoredFile,
} from './deferred.ts'

/** Internal calls of the relay about files, batches and background responses; signed like those of `internal-api.ts`. */

const Owner = { user_id: z.int() }
const Id = z.string().max(MAX_DEFERRED_ID)
const Page = z.object({ ...Owner, after: Id.optional(), limit: z.int().min(1).max(10_000), order: z.enum(['asc', 'desc']) })
const Own = z.object({ ...Owner, id: Id })
const Base64 = z.string().max(Math.ceil(FILE_PIECE / 3) * 4)
const Sender = { ...Owner, token_id: z.int(), ip: z.string().max(64) }

const call = <Path extends string, Request extends z.ZodType, Answer extends z.ZodType>(path: Path, request: Request, answer: Answer) => ({
  path: `/internal/deferred/${path}`,
  request,
  answer,
})

export const DEFERRED_CALLS = {
  /**
   * Decides about an upload of so many bytes. `unpaid`: neither a balance nor a paid request; `role`: the option refuses the user's role;
   * `over`: the user stores too much (`limit`: bytes); `full`: all users do.
   */
  fileAllow: call(
    'files/allow',
    z.object({ ...Owner, bytes: z.int().nonnegative() }),
    z.object({ result: z.enum(['allowed', 'unpaid', 'role', 'over', 'full']), limit: z.int() }),
  ),
  /** `is_over`: it is not stored, since the user stores too much, or with `is_full` all users do. The pieces follow, then `fileFinish`. */
  fileCreate: call(
    'files/create',
    z.object({
      ...Owner,
      token_id: z.int(),
      id: Id,
      filename: z.string().max(512),
      purpose: z.enum(FILE_PURPOSES),
      bytes: z.int().max(MAX_FILE_BYTES),
      mime_type: z.string().max(255).optional(),
      /** Seconds until it expires; absent: the usual time. */
      lifetime_s: z.int().min(1).max(FILE_LIFETIME_S).optional(),
    }),
    z.object({ is_over: z.boolean(), is_full: z.boolean().optional(), limit: z.int().optional() }),
  ),
  fileAppend: call('files/append', z.object({ ...Owner, id: Id, n: z.int().nonnegative(), content: Base64 }), z.object({})),
  /** Begins a part of an upload, whose other pieces follow it. `part` null: there is no such upload, or with `is_over` its parts are too long. */
  filePart: call(
    'files/part',
    Own.extend({ bytes: z.int().min(1).max(MAX_FILE_BYTES), content: Base64 }),
    z.object({ part: z.int().nullable(), is_over: z.boolean() }),
  ),
  /** Makes a file of these parts, in this order. */
  fileParts: call(
    'files/parts',
    Own.extend({ parts: z.array(z.int().nonnegative()).min(1).max(MAX_PARTS), md5: z.string().max(64).optional() }),
    z.object({ result: z.enum(['complete', 'unknown', 'length', 'md5']), file: StoredFile.nullable() }),
  ),
  fileFinish: call('files/finish', Own, z.object({ file: StoredFile.nullable() })),
  /** One whose pieces are still coming. */
  fileUpload: call('files/upload', Own, z.object({ file: StoredFile.nullable() })),
  fileFind: call('files/find', Own, z.object({ file: StoredFile.nullable() })),
  /** `files` null: `after` is none of them. */
  fileList: call(
    'files/list',
    Page.extend({ purpose: z.string().max(40) }),
    z.object({ files: z.array(StoredFile).nullable(), has_more: z.boolean() }),
  ),
  /** `in_use`: a batch that has not ended reads it. */
  fileRemove: call('files/remove', Own, z.object({ result: z.enum(['removed', 'unknown', 'in_use']) })),
  /** One piece; null after the last one. */
  filePiece: call('files/piece', Own.extend({ n: z.int().nonnegative() }), z.object({ content: Base64.nullable() })),
  batchCreate: call(
    'batches/create',
    z.object({
      ...Sender,
      id: Id,
      endpoint: AnyBatchEndpoint,
      input_file_id: Id,
      metadata: z.record(z.string().max(64), z.string().max(512)).nullable(),
    }),
    z.object({ result: z.enum(['created', 'unknown_file', 'too_many']), batch: BatchRecord.nullable() }),
  ),
  batchFind: call('batches/find', Own, z.object({ batch: BatchRecord.nullable() })),
  /** Without `api` those of all. */
  batchList: call(
    'batches/list',
    Page.extend({ api: z.enum(BATCH_APIS).optional() }),
    z.object({ batches: z.array(BatchRecord).nullable(), has_more: z.boolean() }),
  ),
  batchCancel: call('batches/cancel', Own, z.object({ batch: BatchRecord.nullable() })),
  /** With its files. `open`: it has not ended. */
  batchRemove: call('batches/remove', Own, z.object({ result: z.enum(['removed', 'unknown', 'open']) })),
  responseCreate: call(
    'responses/create',
    z.object({
      ...Sender,
      id: Id,
      facts: z.string().max(MAX_RESPONSE_FACTS),
      /** Absent: a response. */
      endpoint: z.enum(BACKGROUND_ENDPOINTS).optional(),
      bytes: z.int().nonnegative(),
      /** Null: the pieces follow, then `responseStart`. */
      body: z.string().max(MAX_INLINE_BYTES).nullable(),
    }),
    /** `open`: too many have not ended; `stored`: the user stores too much; `full`: all users do. */
    z.object({ result: z.enum(['created', 'open', 'stored', 'full']), limit: z.int().optional() }),
  ),
  responseAppend: call('responses/append', z.object({ ...Owner, id: Id, n: z.int().nonnegative(), content: Base64 }), z.object({})),
  responseStart: call('responses/start', Own, z.object({})),
  /** One piece of a body or answer; null after the last one. */
  responsePiece: call(
    'responses/piece',
    Own.extend({ part: z.enum(DEFERRED_PARTS), n: z.int().nonnegative() }),
    z.object({ content: Base64.nullable() }),
  ),
  responseFind: call('responses/find', Own, z.object({ response: DeferredRecord.nullable() })),
  /** Has no effect on an ended one. */
  responseCancel: call('responses/cancel', Own, z.object({ response: DeferredRecord.nullable() })),
  /** `open`: it has not ended. */
  responseRemove: call('responses/remove', Own, z.object({ result: z.enum(['removed', 'unknown', 'open']) })),
} as const

export type DeferredCalls = typeof DEFERRED_CALLS
export type DeferredCall = keyof DeferredCalls
export type DeferredRequest<K extends DeferredCall> = z.infer<DeferredCalls[K]['request']>
export type DeferredAnswer<K extends DeferredCall> = z.infer<DeferredCalls[K]['answer']>
