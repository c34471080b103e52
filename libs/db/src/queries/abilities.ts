import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Db, Tx } from '../connect.ts'
import type { RoutedChannelRow } from './channels.ts'

type AbilitySource = Pick<RoutedChannelRow, 'id' | 'status' | 'models' | 'group' | 'priority' | 'weight' | 'tag'>

/** Rows per statement: seven parameters each, far below Postgres' 65 535. */
const CHUNK = 2000

/**
 * Replaces the abilities of these channels: one per group and model. Models and groups are comma-separated; duplicates and blanks are
 * ignored.
 */
export async function rebuildAbilities(tx: Tx, channels: readonly AbilitySource[]): Promise<number> {
  if (channels.length === 0) return 0
  await tx
    .deleteFrom('abilities')
    .where(
      'channel_id',
      'in',
      channels.map((channel) => channel.id),
    )
    .execute()
  const rows = channels.flatMap(toAbilities)
  for (let start = 0; start < rows.length; start += CHUNK) {
    await tx
      .insertInto('abilities')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
  return rows.length
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

function toAbilities(channel: AbilitySource) {
  const { id, priority, weight, tag } = channel
  const enabled = channel.status === ChannelStatus.enabled
  return toList(channel.group).flatMap((group) =>
    toList(channel.models).map((model) => ({ group, model, channel_id: id, enabled, priority, weight, tag })),
  )
}
