import type { Db } from '../connect.ts'

/** Names some enabled channel serves in any group, sorted. */
export async function listEnabledModels(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('abilities').select('model').distinct().where('enabled', '=', true).orderBy('model').execute()
  return rows.map((row) => row.model)
}

/** Names some enabled channel serves in one of these groups, sorted. */
export async function listEnabledModelsOf(db: Db, groups: readonly string[]): Promise<string[]> {
  if (groups.length === 0) return []
  const rows = await db
    .selectFrom('abilities')
    .select('model')
    .distinct()
    .where('enabled', '=', true)
    .where('group', 'in', groups)
    .orderBy('model')
    .execute()
  return rows.map((row) => row.model)
}

/** Which groups have an enabled channel for which model, sorted. */
export async function listEnabledGroups(db: Db): Promise<{ model: string; groups: string[] }[]> {
  const rows = await db
    .selectFrom('abilities')
    .select(['model', 'group'])
    .distinct()
    .where('enabled', '=', true)
    .orderBy('model')
    .orderBy('group')
    .execute()
  return [...Map.groupBy(rows, (row) => row.model)].map(([model, found]) => ({ model, groups: found.map((row) => row.group) }))
}
