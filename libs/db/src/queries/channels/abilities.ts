import { ChannelStatus } from '@tollgate/contracts/enums'
import { sql } from 'kysely'
import { tableOf, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import type { RoutedChannelRow } from './channels.ts'

type AbilitySource = Pick<RoutedChannelRow, 'id' | 'status' | 'models' | 'group'>

type Source = Pick<RoutedChannelRow, 'id'> & {
  readonly enabled: boolean
  readonly groups: string
  readonly models: string
}
const SOURCE: ColumnTypes<Source> = {
  id: 'bigint',
  enabled: 'boolean',
  groups: 'text',
  models: 'text',
}

/**
 * Brings the abilities of these channels in line with them: one per group and model. Models and groups are comma-separated; duplicates and
 * blanks are ignored. Rows that are right are not written. Returns how many abilities the channels have.
 */
export async function rebuildAbilities(tx: Tx, channels: readonly AbilitySource[]): Promise<number> {
  if (channels.length === 0) return 0
  const sources = channels.map(toSource)
  // Joined by channel only: pairs of group and model would be sorted as text.
  await sql`
    with source as materialized (
      select id, string_to_array(groups, ',') as groups, string_to_array(models, ',') as models, enabled
      from ${tableOf(sources, SOURCE)}
    ),
    removed as (
      delete from abilities a using source s
      where a.channel_id = s.id and not (a."group" = any(s.groups) and a.model = any(s.models))
    ),
    changed as (
      update abilities a set enabled = s.enabled
      from source s
      where a.channel_id = s.id and a."group" = any(s.groups) and a.model = any(s.models)
        and a.enabled <> s.enabled
    )
    insert into abilities ("group", model, channel_id, enabled)
    select "group", model, id, enabled from source, unnest(groups) "group", unnest(models) model
    on conflict do nothing`.execute(tx)
  return channels.reduce((count, { group, models }) => count + toList(group).length * toList(models).length, 0)
}

/** Models that an enabled channel serves in any of these groups (all groups if omitted), sorted. */
export async function listEnabledModels(db: Db | Tx, groups?: readonly string[]): Promise<string[]> {
  if (groups !== undefined && groups.length === 0) return []
  const rows = await db
    .selectFrom('abilities')
    .select('model')
    .distinct()
    .where('enabled', '=', true)
    .$if(groups !== undefined, (query) => query.where('group', 'in', groups ?? []))
    .orderBy('model')
    .execute()
  return rows.map((row) => row.model)
}

/** Ids of the channels that list the model in any of these groups, disabled ones included. */
export async function listChannelIds(db: Db | Tx, { groups, model }: { groups: readonly string[]; model: string }): Promise<number[]> {
  if (groups.length === 0) return []
  const rows = await db
    .selectFrom('abilities')
    .select('channel_id')
    .distinct()
    .where('group', 'in', groups)
    .where('model', '=', model)
    .orderBy('channel_id')
    .execute()
  return rows.map((row) => row.channel_id)
}

/** Every enabled model with the groups that have it, both sorted. */
export async function listEnabledModelGroups(db: Db | Tx): Promise<{ model: string; groups: string[] }[]> {
  const rows = await db
    .selectFrom('abilities')
    .select(['model', 'group'])
    .distinct()
    .where('enabled', '=', true)
    .orderBy('model')
    .orderBy('group')
    .execute()
  const byModel = Map.groupBy(rows, (row) => row.model)
  return [...byModel].map(([model, found]) => ({ model, groups: found.map((row) => row.group) }))
}

/** The parts of a comma-separated list in their order, without blanks and duplicates. */
export function toList(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ]
}

function toSource({ id, status, group, models }: AbilitySource): Source {
  const enabled = status === ChannelStatus.enabled
  return { id, enabled, groups: toList(group).join(','), models: toList(models).join(',') }
}
