import { statusIncidents } from '@tollgate/contracts/resources/status-page'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { addUpdate, changeIncident, deleteIncident, openIncident, readIncidents } from './incidents.ts'

export const statusIncidentRoutes = (deps: Deps): Binding[] => [
  handle(statusIncidents.list, () => readIncidents(deps)),
  handle(statusIncidents.create, ({ actor, ip, body }) => openIncident(deps, { actor, ip }, body)),
  handle(statusIncidents.update, async ({ actor, ip, params, body }) => {
    await changeIncident(deps, { actor, ip }, { id: params.id, form: body })
    return undefined
  }),
  handle(statusIncidents.addUpdate, async ({ actor, ip, params, body }) => {
    await addUpdate(deps, { actor, ip }, { id: params.id, form: body })
    return undefined
  }),
  handle(statusIncidents.remove, async ({ actor, ip, params }) => {
    await deleteIncident(deps, { actor, ip }, params.id)
    return undefined
  }),
]
