import { sql } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Db } from '../../connect.ts'
import type { PostingCursor } from './posting.ts'
import { selectWalPosition, toWalPosition, type WalPosition } from './wal-position.ts'

type PostingState = { readonly position: WalPosition; readonly cursors: readonly PostingCursor[] }

/** The position of the write-ahead log and the cursors of these shards, which recovery reads twice a second. */
export async function readPostingState(db: Db, shards: readonly number[]): Promise<PostingState> {
  const { rows } = await sql<PostingCursor & Parameters<typeof toWalPosition>[0]>`
    select c.shard, c.last_id, c.last_n, c.is_suspect, c.suspect_reason, w.system, w.timeline, w.at
    from (${selectWalPosition}) as w cross join posting_cursors c
    where c.shard = any(${toArray(shards, 'int')}) order by c.shard`.execute(db)
  const cursors = rows.map(({ shard, last_id, last_n, is_suspect, suspect_reason }) => ({
    shard,
    last_id,
    last_n,
    is_suspect,
    suspect_reason,
  }))
  return { position: toWalPosition(rows[0]), cursors }
}
