import { sql, type Selectable } from 'kysely'
import { PART_PIECES } from '@tollgate/contracts/deferred/deferred'
import { fromBase64, toBase64 } from '../../base64.ts'
import { toArray } from '../../columns.ts'
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

/** A part whose answer was lost is sent again, and the bytes of both are kept until the upload ends. */
const MAX_REPEATED = 2

type Part = Omit<Own, 'now'> & { /** Bytes of the part. */ readonly bytes: number; readonly content: string }

/** Adds the first piece of a part to an upload, and returns the number of the part; `over`: its parts are longer than the file. */
export function addPart(db: Db, { id, user_id, bytes, content }: Part): Promise<number | 'over' | undefined> {
  return db.transaction().execute(async (tx) => {
    const file = await tx
      .selectFrom('files')
      .select('bytes')
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('is_complete', '=', false)
      .forUpdate()
      .executeTakeFirst()
    if (file === undefined) return undefined
    const { stored, last } = await tx
      .selectFrom('file_pieces')
      .select((eb) => [
        sql<number>`coalesce(sum(octet_length(content)), 0)::float8`.as('stored'),
        eb.fn.coalesce(eb.fn.max('n'), eb.lit(-1)).as('last'),
      ])
      .where('file_id', '=', id)
      .executeTakeFirstOrThrow()
    if (bytes > file.bytes || stored + bytes > MAX_REPEATED * file.bytes) return 'over'
    const part = Math.floor(Number(last) / PART_PIECES) + 1
    await appendFilePiece(tx, { file_id: id, n: part * PART_PIECES, content })
    return part
  })
}

export type PutTogether = { readonly result: 'unknown' | 'length' | 'md5' } | { readonly result: 'complete'; readonly file: FileRow }

type Order = Omit<Own, 'now'> & {
  /** The numbers of the parts, as they follow each other. */ readonly parts: readonly number[]
  readonly md5: string | undefined
}

/** Makes a file of these parts of an upload; the others are dropped. `length`: together they are not as long as the file. */
export function putTogether(db: Db, { id, user_id, parts, md5 }: Order): Promise<PutTogether> {
  return db.transaction().execute(async (tx): Promise<PutTogether> => {
    const file = await tx
      .selectFrom('files')
      .select('bytes')
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('is_complete', '=', false)
      .forUpdate()
      .executeTakeFirst()
    if (file === undefined) return { result: 'unknown' }
    const { rows } = await sql<{ bytes: number; parts: number; md5: string | null }>`
      with given as (select part, place from unnest(${toArray(parts, 'int')}) with ordinality as g(part, place)),
      pieces as (
        select p.n, p.content, g.place, g.part from file_pieces p join given g on g.part = p.n / ${PART_PIECES} where p.file_id = ${id}
      )
      select coalesce(sum(octet_length(content)), 0)::float8 as bytes, count(distinct part)::float8 as parts,
        case when ${md5 !== undefined} then md5(string_agg(content, ''::bytea order by place, n)) end as md5
      from pieces`.execute(tx)
    const [found] = rows
    if (found?.parts !== parts.length) return { result: 'unknown' }
    if (found.bytes !== Number(file.bytes)) return { result: 'length' }
    if (md5 !== undefined && found.md5 !== md5.toLowerCase()) return { result: 'md5' }
    // A number is used once at any time, so the pieces pass below zero.
    await sql`
      with given as (select part, place from unnest(${toArray(parts, 'int')}) with ordinality as g(part, place)),
      ordered as (
        select p.n, row_number() over (order by g.place, p.n) as at
        from file_pieces p join given g on g.part = p.n / ${PART_PIECES} where p.file_id = ${id}
      )
      update file_pieces p set n = -o.at from ordered o where p.file_id = ${id} and p.n = o.n`.execute(tx)
    await tx.deleteFrom('file_pieces').where('file_id', '=', id).where('n', '>=', 0).execute()
    await sql`update file_pieces set n = -n - 1 where file_id = ${id}`.execute(tx)
    const row = await finishFile(tx, { id, user_id })
    return row === undefined ? { result: 'unknown' } : { result: 'complete', file: row }
  })
}
