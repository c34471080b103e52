import { sql, type Selectable } from 'kysely'
import { FILE_PIECE, MAX_INLINE_BYTES, type DeferredPart } from '@tollgate/contracts/deferred/deferred'
import { fromBase64, toBase64 } from '../../base64.ts'
import type { Db, Tx } from '../../connect.ts'
import { columnsOf, tableOf, toArray, type ColumnTypes } from '../../columns.ts'
import type { Database } from '../../schema.ts'
import { addStored, growStored, lockStored, sumStored } from './stored-bytes.ts'

export type DeferredRow = Selectable<Database['deferred_requests']>

export type NewDeferred = Pick<
  DeferredRow,
  'id' | 'batch_id' | 'custom_id' | 'user_id' | 'token_id' | 'ip' | 'endpoint' | 'body' | 'next_at' | 'created_at' | 'expires_at'
>

const NEW_DEFERRED: ColumnTypes<NewDeferred> = {
  id: 'text',
  batch_id: 'text',
  custom_id: 'text',
  user_id: 'bigint',
  token_id: 'bigint',
  ip: 'text',
  endpoint: 'text',
  body: 'text',
  next_at: 'bigint',
  created_at: 'bigint',
  expires_at: 'bigint',
}

/** One parameter per column: a batch has tens of thousands of lines. */
export async function createDeferred(db: Db | Tx, rows: readonly NewDeferred[]): Promise<void> {
  await sql`
    insert into deferred_requests (${columnsOf(NEW_DEFERRED)})
    select ${columnsOf(NEW_DEFERRED)} from ${tableOf(rows, NEW_DEFERRED)}`.execute(db)
}

type Own = { readonly id: string; readonly user_id: number }

type NewResponse = Pick<
  DeferredRow,
  'id' | 'user_id' | 'token_id' | 'ip' | 'endpoint' | 'body' | 'facts' | 'bytes' | 'is_complete' | 'created_at' | 'expires_at'
>
type ResponseLimits = { readonly open: number; readonly stored: number; readonly bytes: number; readonly total: number }

/** Adds a background response within the limits of its user and of all users, which hold for calls at the same time too. */
export function createResponse(db: Db, row: NewResponse, limits: ResponseLimits): Promise<'created' | 'open' | 'stored' | 'full'> {
  return db.transaction().execute(async (tx) => {
    await lockStored(tx, row.user_id)
    const { open, responses, bytes } = await sumStored(tx, row.user_id)
    if (open >= limits.open) return 'open'
    if (responses >= limits.stored || bytes + row.bytes > limits.bytes) return 'stored'
    if (!(await addStored(tx, { bytes: row.bytes, limit: limits.total, now: row.created_at }))) return 'full'
    await tx
      .insertInto('deferred_requests')
      .values({ ...row, next_at: row.created_at })
      .execute()
    return 'created'
  })
}

type Piece = { readonly n: number; /** As base64 text. */ readonly content: string }

/** Adds a piece of a body that is not complete; false: there is no such response. */
export async function appendResponsePiece(db: Db, { id, user_id }: Own, { n, content }: Piece): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into deferred_pieces (request_id, part, n, content)
    select id, 'body', ${n}, ${fromBase64(content)} from deferred_requests
    where id = ${id} and user_id = ${user_id} and batch_id = '' and not is_complete and state = 'pending'
    on conflict (request_id, part, n) do update set content = excluded.content`.execute(db)
  return numAffectedRows > 0n
}

/** Makes a response due whose body is complete. */
export async function startResponse(db: Db, { id, user_id }: Own, times: { readonly next_at: number; readonly expires_at: number }) {
  await db
    .updateTable('deferred_requests')
    .set({ ...times, is_complete: true })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('batch_id', '=', '')
    .where('is_complete', '=', false)
    .execute()
}

/** One piece of a body or answer as base64 text; undefined: there is none, or no such response. */
export async function findResponsePiece(
  db: Db,
  { id, user_id }: Own,
  { part, n }: { readonly part: DeferredPart; readonly n: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('deferred_requests')
    .innerJoin('deferred_pieces', 'deferred_pieces.request_id', 'deferred_requests.id')
    .select(toBase64('content').as('content'))
    .where('deferred_requests.id', '=', id)
    .where('user_id', '=', user_id)
    .where('part', '=', part)
    .where('n', '=', n)
    .executeTakeFirst()
  return row?.content
}

/** The body of a claimed request. */
export async function readDeferredBody(db: Db, { id, body }: Pick<DeferredRow, 'id' | 'body'>): Promise<Buffer> {
  if (body !== '') return Buffer.from(body)
  const rows = await db
    .selectFrom('deferred_pieces')
    .select('content')
    .where('request_id', '=', id)
    .where('part', '=', 'body')
    .orderBy('n')
    .execute()
  return Buffer.concat(rows.map(({ content }) => content))
}

/** A background response. */
export function findResponse(db: Db, { id, user_id }: Own): Promise<DeferredRow | undefined> {
  return db
    .selectFrom('deferred_requests')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('batch_id', '=', '')
    .executeTakeFirst()
}

/** One that was not sent ends; one that runs is marked, and its worker ends the call. */
export async function cancelResponse(db: Db, { id, user_id, now }: Own & { readonly now: number }): Promise<DeferredRow | undefined> {
  await sql`
    with ended as (
      update deferred_requests set is_cancelled = true,
        body = case when state = 'pending' then '' else body end,
        bytes = case when state = 'pending' then 0 else bytes end,
        outcome = case when state = 'pending' then 'cancelled' else outcome end,
        ended_at = case when state = 'pending' then ${now} else ended_at end,
        state = case when state = 'pending' then 'ended' else state end
      where id = ${id} and user_id = ${user_id} and batch_id = '' and state <> 'ended'
      returning id, state
    )
    delete from deferred_pieces p using ended where p.request_id = ended.id and ended.state = 'ended'`.execute(db)
  return await findResponse(db, { id, user_id })
}

export async function removeResponse(db: Db, { id, user_id }: Own): Promise<'removed' | 'unknown' | 'open'> {
  const found = await findResponse(db, { id, user_id })
  if (found === undefined) return 'unknown'
  if (found.state !== 'ended') return 'open'
  await db.deleteFrom('deferred_requests').where('seq', '=', found.seq).where('state', '=', 'ended').execute()
  return 'removed'
}

type Claim = { readonly now: number; readonly lease_until: number; readonly limit: number }

/**
 * Takes due requests of a batch. Each is taken once: it is never sent a second time. The
 * choice is a CTE, which Postgres evaluates once; a nested loop evaluates a subquery for every row, and each time it locks other rows.
 */
export async function claimDeferred(db: Db, batch_id: string, { now, lease_until, limit }: Claim): Promise<DeferredRow[]> {
  const { rows } = await sql<DeferredRow>`
    with due as (
      select seq from deferred_requests
      where batch_id = ${batch_id} and state = 'pending' and next_at <= ${now} and expires_at > ${now}
      order by next_at limit ${limit} for update skip locked
    )
    update deferred_requests set state = 'running', lease_until = ${lease_until}, attempts = attempts + 1
    from due where deferred_requests.seq = due.seq
    returning deferred_requests.*`.execute(db)
  return rows
}

type ResponseClaim = Claim & {
  /** Calls of each user that this worker runs. */
  readonly held: ReadonlyMap<number, number>
  /** Calls that a user may have. */
  readonly per_user: number
}

/** Takes due background responses, each once, like `claimDeferred`: of the users with the fewest calls first, then the oldest. */
export async function claimResponses(db: Db, { now, lease_until, limit, held, per_user }: ResponseClaim): Promise<DeferredRow[]> {
  const { rows } = await sql<DeferredRow>`
    with held as (
      select * from unnest(${toArray([...held.keys()], 'bigint')}, ${toArray([...held.values()], 'bigint')}) as held (user_id, calls)
    ), ranked as (
      select d.seq, d.next_at, coalesce(h.calls, 0) + row_number() over (partition by d.user_id order by d.next_at, d.seq) as turn
      from deferred_requests d left join held h on h.user_id = d.user_id
      where d.batch_id = '' and d.state = 'pending' and d.is_complete and d.next_at <= ${now} and d.expires_at > ${now}
    ), due as (
      select d.seq from deferred_requests d join ranked r on r.seq = d.seq
      where r.turn <= ${per_user} and d.state = 'pending'
      order by r.turn, r.next_at limit ${limit} for update of d skip locked
    )
    update deferred_requests set state = 'running', lease_until = ${lease_until}, attempts = attempts + 1
    from due where deferred_requests.seq = due.seq
    returning deferred_requests.*`.execute(db)
  return rows
}

type End = Pick<DeferredRow, 'outcome' | 'status' | 'request_id' | 'answer' | 'made_id'> & { readonly now: number }

/**
 * Ends a running request and deletes its body; no effect when its lease ran out and another worker has ended it. The long answer of a
 * background response is stored in pieces, as it is read.
 */
export async function endDeferred(db: Db, { seq, id, batch_id }: Pick<DeferredRow, 'seq' | 'id' | 'batch_id'>, { now, ...end }: End) {
  const bytes = Buffer.from(end.answer)
  const isLong = batch_id === '' && bytes.length > MAX_INLINE_BYTES
  const stored = isLong ? { ...end, answer: '', has_answer_pieces: true } : end
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('deferred_requests')
      .set({ ...stored, body: '', bytes: batch_id === '' ? bytes.length : 0, state: 'ended', ended_at: now, lease_until: 0 })
      .where('seq', '=', seq)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n || batch_id !== '') return
    await tx.deleteFrom('deferred_pieces').where('request_id', '=', id).execute()
    for (let n = 0; isLong && n * FILE_PIECE < bytes.length; n += 1) {
      const content = bytes.subarray(n * FILE_PIECE, (n + 1) * FILE_PIECE)
      await tx.insertInto('deferred_pieces').values({ request_id: id, part: 'answer', n, content }).execute()
    }
    await growStored(tx, bytes.length)
  })
}

/** Gives back a request that was certainly not served; it is sent again at `next_at`, unless it was cancelled meanwhile. */
export async function retryDeferred(
  db: Db,
  seq: number,
  { next_at, now }: { readonly next_at: number; readonly now: number },
): Promise<void> {
  await sql`
    update deferred_requests d set lease_until = 0, next_at = ${next_at},
      body = case when ${stopped} then '' else d.body end,
      bytes = case when ${stopped} then 0 else d.bytes end,
      state = case when ${stopped} then 'ended' else 'pending' end,
      outcome = case when ${stopped} then 'cancelled' else '' end,
      ended_at = case when ${stopped} then ${now} else 0 end
    where seq = ${seq} and state = 'running'`.execute(db)
}

const stopped = sql`(d.is_cancelled or exists (select 1 from batches b where b.id = d.batch_id and b.status = 'cancelling'))`

/** Ends what can no longer be sent or answered: requests whose time is over, and those whose worker died while it sent them. */
export async function endOverdue(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    with overdue as (
      select seq from deferred_requests where state = 'pending' and expires_at <= ${now} limit 5000
    ), lost as (
      select seq from deferred_requests where state = 'running' and lease_until <= ${now} limit 5000
    ), ended as (
      update deferred_requests d set state = 'ended', ended_at = ${now}, lease_until = 0, body = '', bytes = 0,
        outcome = case when d.state = 'pending' then 'expired' else 'interrupted' end
      where d.seq in (select seq from overdue union all select seq from lost) and d.state <> 'ended'
      returning d.seq, d.id
    ), dropped as (
      delete from deferred_pieces p using ended where p.request_id = ended.id
    )
    select seq from ended`.execute(db)
  return rows.length
}

/** Which of these running requests their owners have cancelled. */
export async function listCancelled(db: Db, seqs: readonly number[]): Promise<number[]> {
  if (seqs.length === 0) return []
  const rows = await db.selectFrom('deferred_requests').select('seq').where('seq', 'in', seqs).where('is_cancelled', '=', true).execute()
  return rows.map(({ seq }) => seq)
}

type Line = Pick<DeferredRow, 'seq' | 'id' | 'custom_id' | 'outcome' | 'status' | 'request_id' | 'answer'>

/** Some lines of a batch in order, after this one. */
export function listLines(
  db: Db | Tx,
  { batch_id, after, limit }: { readonly batch_id: string; readonly after: number; readonly limit: number },
): Promise<Line[]> {
  return db
    .selectFrom('deferred_requests')
    .select(['seq', 'id', 'custom_id', 'outcome', 'status', 'request_id', 'answer'])
    .where('batch_id', '=', batch_id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function removeLines(tx: Tx, batch_id: string): Promise<void> {
  await tx.deleteFrom('deferred_requests').where('batch_id', '=', batch_id).execute()
}

/** Deletes background responses that ended before this time. */
export async function purgeResponses(db: Db, before: number): Promise<void> {
  await db.deleteFrom('deferred_requests').where('state', '=', 'ended').where('batch_id', '=', '').where('ended_at', '<', before).execute()
}
