import {
  BATCH_WINDOW_S,
  BatchRecord,
  DeferredRecord,
  FILE_LIFETIME_S,
  MAX_FILES,
  MAX_OPEN_BATCHES,
  RESPONSE_WINDOW_S,
  StoredFile,
} from '@tollgate/contracts/deferred/deferred'
import { DEFERRED_CALLS, type DeferredAnswer, type DeferredCall, type DeferredRequest } from '@tollgate/contracts/deferred/deferred-calls'
import { AppError } from '@tollgate/contracts/app-error'
import type { Db } from '@tollgate/db/connect'
import { findUploader, sumAllStored, sumStored } from '@tollgate/db/queries/deferred/stored-bytes'
import type { OptionReader } from '@tollgate/db/option-reader'
import type { Budget } from '@tollgate/shares/budget'
import {
  cancelBatch,
  countOpenBatches,
  createBatch,
  findBatch,
  listBatches,
  removeBatch,
  type BatchRow,
} from '@tollgate/db/queries/deferred/batches'
import {
  appendResponsePiece,
  cancelResponse,
  createResponse,
  findResponse,
  findResponsePiece,
  removeResponse,
  startResponse,
  type DeferredRow,
} from '@tollgate/db/queries/deferred/deferred-requests'
import {
  addPart,
  appendFilePiece,
  createFileWithin,
  findFile,
  findFilePiece64,
  findUpload,
  finishFile,
  listFiles,
  putTogether,
  removeFile,
  type FileRow,
} from '@tollgate/db/queries/deferred/files'

type Context = {
  readonly db: Db
  /** Other connections, for pieces. */
  readonly bulk: Db
  readonly pieces: Budget
  readonly options: OptionReader
  /** Unix seconds. */
  readonly now: number
  readonly stored: StoredBytes
}

/** Bytes of all files and background responses, which are summed from time to time; what fits is counted exactly when it is stored. */
export type StoredBytes = { read(db: Db): Promise<number> }

const SUM_MS = 10_000

export function createStoredBytes(now: () => number): StoredBytes {
  let sum: Promise<number> | undefined
  let summed_at = 0
  return {
    read: async (db) => {
      if (sum === undefined || now() - summed_at >= SUM_MS) {
        summed_at = now()
        sum = sumAllStored(db)
        sum.catch(() => void (sum = undefined))
      }
      return await sum
    },
  }
}

type Answers = {
  readonly [K in DeferredCall]: (context: Context, request: DeferredRequest<K>) => Promise<DeferredAnswer<K> | undefined>
}

/** The answers to a relay's calls about files, batches and background responses; undefined: the call cannot be served. */
const ANSWERS: Answers = {
  fileAllow: async (context, upload) => await allowUpload(context, upload),
  fileCreate: async ({ db, now, options }, { lifetime_s = FILE_LIFETIME_S, ...file }) => {
    const [limit, total] = await Promise.all([readLimit(options, 'StoredBytesPerUser'), readLimit(options, 'StoredBytesTotal')])
    const row = { ...file, created_at: now, expires_at: now + lifetime_s }
    const result = await createFileWithin(db, row, { files: MAX_FILES, bytes: limit, total })
    return { is_over: result !== 'created', is_full: result === 'full', limit }
  },
  fileAppend: (context, { id, user_id, n, content }) =>
    withPiece(context, user_id, async (db) => {
      if ((await findUpload(db, { id, user_id })) === undefined) return undefined
      await appendFilePiece(db, { file_id: id, n, content })
      return {}
    }),
  filePart: (context, part) =>
    withPiece(context, part.user_id, async (db) => {
      const added = await addPart(db, part)
      return { part: typeof added === 'number' ? added : null, is_over: added === 'over' }
    }),
  fileParts: async ({ db }, { md5, ...order }) => {
    const put = await putTogether(db, { ...order, md5 })
    return { result: put.result, file: put.result === 'complete' ? toFile(put.file) : null }
  },
  fileFinish: async ({ db }, own) => ({ file: toFile(await finishFile(db, own)) }),
  fileUpload: async ({ db }, own) => ({ file: toFile(await findUpload(db, own)) }),
  fileFind: async ({ db, now }, own) => ({ file: toFile(await findFile(db, { ...own, now })) }),
  fileList: async ({ db, now }, page) => {
    const found = await listFiles(db, { ...page, now })
    return found === undefined
      ? { files: null, has_more: false }
      : { files: found.files.map((row) => StoredFile.parse(row)), has_more: found.has_more }
  },
  fileRemove: async ({ db }, own) => ({ result: await removeFile(db, own) }),
  filePiece: (context, { n, ...own }) =>
    withPiece(context, own.user_id, async (db) => {
      if ((await findFile(db, { ...own, now: context.now })) === undefined) return { content: null }
      return { content: (await findFilePiece64(db, { file_id: own.id, n })) ?? null }
    }),
  batchCreate: async ({ db, now }, batch) => {
    const file = await findFile(db, { id: batch.input_file_id, user_id: batch.user_id, now })
    if (file === undefined || file.purpose !== 'batch') return { result: 'unknown_file', batch: null }
    if ((await countOpenBatches(db, batch.user_id)) >= MAX_OPEN_BATCHES) return { result: 'too_many', batch: null }
    const row = await createBatch(db, { ...batch, created_at: now, expires_at: now + BATCH_WINDOW_S })
    return { result: 'created', batch: toBatch(row) }
  },
  batchFind: async ({ db }, own) => ({ batch: toBatch(await findBatch(db, own)) }),
  batchList: async ({ db }, page) => {
    const found = await listBatches(db, page)
    return found === undefined
      ? { batches: null, has_more: false }
      : { batches: found.batches.map((row) => BatchRecord.parse(row)), has_more: found.has_more }
  },
  batchCancel: async ({ db, now }, own) => ({ batch: toBatch(await cancelBatch(db, { ...own, now })) }),
  batchRemove: async ({ db }, own) => ({ result: await removeBatch(db, own) }),
  responseCreate: async ({ db, now, stored, options }, { body, endpoint = '/v1/responses', ...given }) => {
    const total = await readLimit(options, 'StoredBytesTotal')
    if ((await stored.read(db)) + given.bytes > total) return { result: 'full' }
    const limits = {
      open: await options.get('BackgroundResponsesOpen'),
      stored: await options.get('BackgroundResponsesStored'),
      bytes: await readLimit(options, 'StoredBytesPerUser'),
      total,
    }
    const expires_at = now + (body === null ? UPLOAD_WINDOW_S : RESPONSE_WINDOW_S)
    const row = { ...given, endpoint, body: body ?? '', is_complete: body !== null, created_at: now, expires_at }
    return { result: await createResponse(db, row, limits), limit: limits.open }
  },
  responseAppend: (context, { n, content, ...own }) =>
    withPiece(context, own.user_id, async (db) => ((await appendResponsePiece(db, own, { n, content })) ? {} : undefined)),
  responseStart: async ({ db, now }, own) => {
    await startResponse(db, own, { next_at: now, expires_at: now + RESPONSE_WINDOW_S })
    return {}
  },
  responsePiece: (context, { part, n, ...own }) =>
    withPiece(context, own.user_id, async (db) => {
      const piece =
        (await findResponsePiece(db, own, { part, n })) ?? (part === 'body' && n === 0 ? await findInlineBody(db, own) : undefined)
      return { content: piece ?? null }
    }),
  responseFind: async ({ db }, own) => ({ response: toDeferred(await findResponse(db, own)) }),
  responseCancel: async ({ db, now }, own) => ({ response: toDeferred(await cancelResponse(db, { ...own, now })) }),
  responseRemove: async ({ db }, own) => ({ result: await removeResponse(db, own) }),
}

/** How long the pieces of a body may take. */
const UPLOAD_WINDOW_S = 600
const MB = 1024 * 1024

/** A limit of stored bytes. */
async function readLimit(options: OptionReader, key: 'StoredBytesPerUser' | 'StoredBytesTotal'): Promise<number> {
  return (await options.get(key)) * MB
}

/** Decides about an upload before its body is read; the stored bytes are summed again when it arrives. */
async function allowUpload(
  { db, options, stored }: Context,
  { user_id, bytes }: DeferredRequest<'fileAllow'>,
): Promise<DeferredAnswer<'fileAllow'>> {
  const limit = await readLimit(options, 'StoredBytesPerUser')
  const uploader = await findUploader(db, user_id)
  if (uploader === undefined || uploader.role < (await options.get('FileUploadPermission'))) return { result: 'role', limit }
  if (!uploader.has_paid) return { result: 'unpaid', limit }
  const own = await sumStored(db, user_id)
  // An upload has a byte at least, whatever its head says.
  if (own.files >= MAX_FILES || own.bytes + Math.max(bytes, 1) > limit) return { result: 'over', limit }
  const isFull = (await stored.read(db)) + bytes > (await readLimit(options, 'StoredBytesTotal'))
  return { result: isFull ? 'full' : 'allowed', limit }
}

/** Reads or writes a piece on a connection for pieces, when the user's turn comes. */
async function withPiece<T>({ bulk, pieces }: Context, user: number, run: (db: Db) => Promise<T>): Promise<T> {
  const share = await pieces.take({ user })
  if (typeof share === 'string')
    throw new AppError('store.unavailable', {}, { cause: new Error(`the budget of pieces is used up: ${share}`) })
  try {
    return await run(bulk)
  } finally {
    share.release()
  }
}

async function findInlineBody(db: Db, own: { readonly id: string; readonly user_id: number }): Promise<string | undefined> {
  const found = await findResponse(db, own)
  return found === undefined || found.body === '' ? undefined : Buffer.from(found.body).toString('base64')
}

const toFile = (row: FileRow | undefined): StoredFile | null => (row === undefined ? null : StoredFile.parse(row))
const toBatch = (row: BatchRow | undefined): BatchRecord | null => (row === undefined ? null : BatchRecord.parse(row))
const toDeferred = (row: DeferredRow | undefined): DeferredRecord | null =>
  row === undefined ? null : DeferredRecord.parse({ ...row, facts: row.facts === '' ? row.body : row.facts })

export type DeferredRoute = { readonly path: string; answer(context: Context, body: unknown): Promise<object | undefined> }

/** One route per call; it answers undefined for a body that the call does not take. */
export const deferredRoutes: readonly DeferredRoute[] = (Object.keys(DEFERRED_CALLS) as DeferredCall[]) // the keys of the table
  .map(toRoute)

function toRoute<K extends DeferredCall>(name: K): DeferredRoute {
  const { path, request, answer } = DEFERRED_CALLS[name]
  return {
    path,
    answer: async (context, body) => {
      const asked = request.safeParse(body)
      if (!asked.success) return undefined
      // The schema of this very call read it.
      const found = await ANSWERS[name](context, asked.data as DeferredRequest<K>)
      return found === undefined ? undefined : answer.parse(found)
    },
  }
}
