import { AppError } from '@tollgate/contracts/app-error'
import {
  SHOWN_INCIDENTS,
  type IncidentForm,
  type IncidentUpdateForm,
  type NewIncident,
  type StatusIncidents,
} from '@tollgate/contracts/resources/status-page'
import type { Tx } from '@tollgate/db/connect'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import {
  addIncidentUpdate,
  createIncident,
  listIncidents,
  lockIncident,
  removeIncident,
  updateIncident,
  type IncidentRow,
} from '@tollgate/db/queries/installation/status-incidents'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { readPageSettings, type PageSettings } from './groups.ts'

export async function readIncidents({ db, options }: Pick<Deps, 'db' | 'options'>): Promise<StatusIncidents> {
  const settings = await readPageSettings(options, db)
  const incidents = await listIncidents(db, { limit: SHOWN_INCIDENTS })
  return {
    is_on: settings.isOn,
    groups: settings.names.length > 0 ? [...settings.names] : groupsOf(settings, await listEnabledModels(db)),
    incidents: incidents.map(({ channel_id: _channel, updates, ...incident }) => ({
      ...incident,
      updates: updates.map(({ incident_id: _incident, ...update }) => update),
    })),
  }
}

function groupsOf({ groupOf }: PageSettings, models: readonly string[]): string[] {
  return [...new Set(models.map(groupOf).filter((group) => group !== undefined))].toSorted()
}

export async function openIncident(deps: Deps, by: By, { state, text, ...form }: NewIncident): Promise<{ id: number }> {
  const now = nowSeconds(deps)
  return await deps.db.transaction().execute(async (tx) => {
    const id = await createIncident(tx, { ...form, state, now })
    await addIncidentUpdate(tx, { incident_id: id, state, text, now })
    await audit(deps, tx, by, { action: 'create', id, changes: changedFields({}, { ...form, state, text }) })
    return { id }
  })
}

export async function changeIncident(
  deps: Deps,
  by: By,
  { id, form }: { readonly id: number; readonly form: IncidentForm },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { title, groups, is_public } = await requireIncident(tx, id)
    await updateIncident(tx, id, { ...form, now: nowSeconds(deps) })
    await audit(deps, tx, by, { action: 'update', id, changes: changedFields({ title, groups, is_public }, form) })
  })
}

export async function addUpdate(
  deps: Deps,
  by: By,
  { id, form }: { readonly id: number; readonly form: IncidentUpdateForm },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { state } = await requireIncident(tx, id)
    await addIncidentUpdate(tx, { incident_id: id, ...form, now: nowSeconds(deps) })
    await audit(deps, tx, by, { action: 'update', id, changes: changedFields({ state }, form) })
  })
}

export async function deleteIncident(deps: Deps, by: By, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { title, is_public } = await requireIncident(tx, id)
    await removeIncident(tx, id)
    const changes = [
      { field: 'title', before: title },
      { field: 'is_public', before: String(is_public) },
    ]
    await audit(deps, tx, by, { action: 'delete', id, changes })
  })
}

async function requireIncident(tx: Tx, id: number): Promise<IncidentRow> {
  const row = await lockIncident(tx, id)
  if (row === undefined) throw new AppError('record.missing')
  return row
}

type Entry = { readonly action: string; readonly id: number; readonly changes: ReturnType<typeof changedFields> }

const audit = (deps: Deps, tx: Tx, by: By, { action, id, changes }: Entry): Promise<void> =>
  recordAudit(deps, tx, by, [{ action, resource: 'status-incident', resource_id: id, changes }])
