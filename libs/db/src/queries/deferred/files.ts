import type { Selectable } from 'kysely'
import { fromBase64, toBase64 } from '../../base64.ts'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'
import { addStored, lockStored, sumStored } from './stored-bytes.ts'

export type FileRow = Selectable<Database['files']>

type NewFile = Pick<FileRow, 'id' | 'user_id' | 'token_id' | 'filename' | 'purpose' | 'bytes' | 'created_at' | 'expires_at'> & {
  readonly mime_type?: string | undefined
}

/** Adds a file whose pieces follow. */
export async function createFile(tx: Db | Tx, file: NewFile): Promise<void> {
  await tx.insertInto('files').values(file).execute()
}

type FileLimits = { readonly files: number; readonly bytes: number; /** Bytes of all users. */ readonly total: number }

/** Adds a file within the limits of its user and of all users, which hold for calls at the same time too. */
export function createFileWithin(db: Db, file: NewFile, limits: FileLimits): Promise<'created' | 'over' | 'full'> {
  return db.transaction().execute(async (tx) => {
    await lockStored(tx, file.user_id)
    const { files, bytes } = await sumStored(tx, file.user_id)
    if (files >= limits.files || bytes + file.bytes > limits.bytes) return 'over'
    if (!(await addStored(tx, { bytes: file.bytes, limit: limits.total, now: file.created_at }))) return 'full'
    await createFile(tx, file)
    return 'created'
  })
}

type FilePiece = { readonly file_id: string; readonly n: number; /** Bytes, or their base64 text. */ readonly content: Buffer | string }

export async function appendFilePiece(tx: Db | Tx, { content, ...piece }: FilePiece): Promise<void> {
  await tx
    .insertInto('file_pieces')
    .values({ ...piece, content: typeof content === 'string' ? fromBase64(content) : content })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Finish = { readonly id: string; readonly user_id: number; /** If it was not known before. */ readonly bytes?: number }

/** Makes an upload a file; undefined: there is none. */
export function finishFile(tx: Db | Tx, { id, user_id, bytes }: Finish): Promise<FileRow | undefined> {
  return tx
    .updateTable('files')
    .set({ is_complete: true, ...(bytes === undefined ? {} : { bytes }) })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()
}

type Own = { readonly id: string; readonly user_id: number; readonly now: number }

/** A complete file that has not expired. */
export function findFile(db: Db | Tx, { id, user_id, now }: Own): Promise<FileRow | undefined> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('is_complete', '=', true)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export function findUpload(db: Db, { id, user_id }: Omit<Own, 'now'>): Promise<FileRow | undefined> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('is_complete', '=', false)
    .executeTakeFirst()
}

/** As base64 text. */
export async function findFilePiece64(db: Db, { file_id, n }: Omit<FilePiece, 'content'>): Promise<string | undefined> {
  const row = await db
    .selectFrom('file_pieces')
    .select(toBase64('content').as('content'))
    .where('file_id', '=', file_id)
    .where('n', '=', n)
    .executeTakeFirst()
  return row?.content
}

export async function findFilePiece(db: Db, { file_id, n }: { readonly file_id: string; readonly n: number }): Promise<Buffer | undefined> {
  const row = await db.selectFrom('file_pieces').select('content').where('file_id', '=', file_id).where('n', '=', n).executeTakeFirst()
  return row?.content
}

type Page = {
  readonly user_id: number
  readonly purpose: string
  readonly now: number
  readonly after?: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
}
type FilePage = { readonly files: FileRow[]; readonly has_more: boolean }

/** A user's files by creation; undefined: `after` is none of them. */
export async function listFiles(db: Db, { user_id, purpose, now, after, limit, order }: Page): Promise<FilePage | undefined> {
  const last = after === undefined ? undefined : await findFile(db, { id: after, user_id, now })
  if (after !== undefined && last === undefined) return undefined
  const files = await db
    .selectFrom('files')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('is_complete', '=', true)
    .where('expires_at', '>', now)
    .$if(purpose !== '', (query) => query.where('purpose', '=', purpose as FileRow['purpose']))
    .$if(last !== undefined, (query) => query.where('seq', order === 'asc' ? '>' : '<', last?.seq ?? 0))
    .orderBy('seq', order)
    .limit(limit + 1)
    .execute()
  return { files: files.slice(0, limit), has_more: files.length > limit }
}

/** Deletes a file with its bytes, unless a batch that has not ended reads it. */
export async function removeFile(db: Db, { id, user_id }: Omit<Own, 'now'>): Promise<'removed' | 'unknown' | 'in_use'> {
  const reader = await db
    .selectFrom('batches')
    .select('id')
    .where('input_file_id', '=', id)
    .where('status', '=', 'validating')
    .executeTakeFirst()
  if (reader !== undefined) return 'in_use'
  const { numDeletedRows } = await db.deleteFrom('files').where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst()
  return numDeletedRows > 0n ? 'removed' : 'unknown'
}

/** Deletes some files whose time is over, and uploads that were abandoned; returns how many. */
export async function purgeFiles(
  db: Db,
  { now, abandoned_before, limit }: { readonly now: number; readonly abandoned_before: number; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('files')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('files')
        .select('id')
        .where((or) =>
          or.or([or('expires_at', '<=', now), or.and([or('is_complete', '=', false), or('created_at', '<', abandoned_before)])]),
        )
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
