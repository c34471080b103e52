import { sql, type Selectable } from 'kysely'
import type { IncidentForm, IncidentState } from '@tollgate/contracts/resources/status-page'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'

type Stated<T> = Omit<T, 'state'> & { readonly state: IncidentState }
export type IncidentRow = Stated<Selectable<Database['status_incidents']>>
export type IncidentUpdateRow = Stated<Selectable<Database['status_updates']>>
export type IncidentWithUpdates = IncidentRow & { readonly updates: readonly IncidentUpdateRow[] }

type Selection = { readonly limit: number; readonly onlyPublic?: boolean; readonly since?: UnixSeconds }

/** Incidents with their updates, both newest first. `since`: those that are not over, and those that ended later. */
export async function listIncidents(db: Db | Tx, { limit, onlyPublic = false, since = 0 }: Selection): Promise<IncidentWithUpdates[]> {
  const incidents = await db
    .selectFrom('status_incidents')
    .selectAll()
    .$if(onlyPublic, (query) => query.where('is_public', '=', true))
    .where((eb) => eb.or([eb('resolved_at', '=', 0), eb('resolved_at', '>=', since)]))
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<IncidentRow>()
    .execute()
  if (incidents.length === 0) return []
  const updates = await db
    .selectFrom('status_updates')
    .selectAll()
    .where(
      'incident_id',
      'in',
      incidents.map(({ id }) => id),
    )
    .orderBy('id', 'desc')
    .$castTo<IncidentUpdateRow>()
    .execute()
  const byIncident = Map.groupBy(updates, ({ incident_id }) => incident_id)
  return incidents.map((incident) => ({ ...incident, updates: byIncident.get(incident.id) ?? [] }))
}

/** An incident, locked until the transaction ends. */
export async function lockIncident(tx: Tx, id: number): Promise<IncidentRow | undefined> {
  return await tx.selectFrom('status_incidents').selectAll().where('id', '=', id).forUpdate().$castTo<IncidentRow>().executeTakeFirst()
}

type NewIncidentRow = IncidentForm & { readonly state: IncidentState; readonly now: UnixSeconds }

export async function createIncident(tx: Tx, { groups, now, ...form }: NewIncidentRow): Promise<number> {
  const { id } = await tx
    .insertInto('status_incidents')
    .values({ ...form, groups: toJsonb(groups), started_at: now, changed_at: now, resolved_at: resolvedAt(form.state, now) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Proposal = { readonly channel_id: number; readonly cause: string; readonly groups: readonly string[]; readonly now: UnixSeconds }

/** Proposes an incident for a channel that has none which is not over. */
export async function addProposal(tx: Tx, { groups, now, ...proposal }: Proposal): Promise<void> {
  const isOpen = await tx
    .selectFrom('status_incidents')
    .select('id')
    .where('channel_id', '=', proposal.channel_id)
    .where('resolved_at', '=', 0)
    .executeTakeFirst()
  if (isOpen !== undefined) return
  await tx
    .insertInto('status_incidents')
    .values({ ...proposal, state: 'investigating', groups: toJsonb(groups), started_at: now, changed_at: now })
    .execute()
}

export async function updateIncident(
  tx: Tx,
  id: number,
  { groups, now, ...form }: IncidentForm & { readonly now: UnixSeconds },
): Promise<void> {
  await tx
    .updateTable('status_incidents')
    .set({ ...form, groups: toJsonb(groups), changed_at: now })
    .where('id', '=', id)
    .execute()
}

type NewUpdate = { readonly incident_id: number; readonly state: IncidentState; readonly text: string; readonly now: UnixSeconds }

/** Adds an update; the incident takes its state. */
export async function addIncidentUpdate(tx: Tx, { now, ...update }: NewUpdate): Promise<void> {
  const { incident_id, state } = update
  await tx
    .insertInto('status_updates')
    .values({ ...update, created_at: now })
    .execute()
  await tx
    .updateTable('status_incidents')
    .set({ state, changed_at: now, resolved_at: resolvedAt(state, now) })
    .where('id', '=', incident_id)
    .execute()
}

const resolvedAt = (state: IncidentState, now: UnixSeconds): UnixSeconds => (state === 'resolved' ? now : 0)

export async function removeIncident(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('status_incidents').where('id', '=', id).execute()
}

/** Models that lost their last enabled channel with this one. */
export async function listUnservedModels(tx: Tx, channel_id: number): Promise<string[]> {
  const { rows } = await sql<{ model: string }>`
    select distinct model from abilities a where channel_id = ${channel_id}
      and not exists (select from abilities b where b.model = a.model and b.enabled) order by model`.execute(tx)
  return rows.map(({ model }) => model)
}
