import { sql } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Db } from '../../connect.ts'

type Asked = { readonly id: number; readonly groups: readonly string[]; readonly models: readonly string[]; readonly priority: number }
type Rival = { readonly id: number; readonly name: string; readonly weight: number }
export type Rivals = { readonly group: string; readonly model: string; readonly rivals: readonly Rival[] }

/** The enabled channels of this priority in the group and model of a channel in which there are most of them. */
export async function findRivals(db: Db, { id, groups, models, priority }: Asked): Promise<Rivals> {
  const { rows } = await sql<Rival & { readonly group: string; readonly model: string }>`
    with rivals as (
      select a."group", a.model, c.id, c.name, c.weight from abilities a join channels c on c.id = a.channel_id
      where a.enabled and c.priority = ${priority} and c.id <> ${id}
        and a."group" = any(${toArray(groups, 'text')}) and a.model = any(${toArray(models, 'text')})
    ), widest as (
      select "group", model from rivals group by 1, 2 order by count(*) desc, 1, 2 limit 1
    )
    select rivals.* from rivals join widest using ("group", model) order by id`.execute(db)
  const [first] = rows
  return {
    group: first?.group ?? '',
    model: first?.model ?? '',
    rivals: rows.map(({ id: rival, name, weight }) => ({ id: rival, name, weight })),
  }
}
