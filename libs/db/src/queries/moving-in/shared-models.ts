import { sql } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'

type Asked = { readonly ids: readonly number[]; readonly name: string }
/** `models`: names, separated by commas. */
type SharedModels = { readonly channel_id: number; readonly models: string }

/** The models of new channels of an import that enabled channels of the same group serve, which this import has not made. */
export async function listSharedModels(tx: Tx, { ids, name }: Asked): Promise<SharedModels[]> {
  const { rows } = await sql<SharedModels>`
    select a.channel_id, string_agg(distinct a.model, ', ' order by a.model) as models from abilities a
    where a.channel_id = any(${toArray(ids, 'bigint')}) and a.enabled and exists (
      select 1 from abilities b where b."group" = a."group" and b.model = a.model and b.enabled
        and b.channel_id <> all(${toArray(ids, 'bigint')}) and not exists (
          select 1 from imported_rows r where r.import_name = ${name} and r.kind = 'channels' and r.target_id = b.channel_id))
    group by a.channel_id`.execute(tx)
  return rows
}
