import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'
import { IdParams } from '../values/common-schemas.ts'
import { MAX_STATUS_GROUPS, StatusGroupName } from '../values/status-groups.ts'

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]

/** How many incidents a list shows. */
export const SHOWN_INCIDENTS = 100

export const IncidentForm = z.object({
  title: z.string().trim().min(1).max(120),
  groups: z.array(StatusGroupName).max(MAX_STATUS_GROUPS),
  /** False: only administrators see it. */
  is_public: z.boolean(),
})
export type IncidentForm = z.infer<typeof IncidentForm>

/** Plain text: it is shown as it is. */
export const IncidentUpdateForm = z.object({ state: z.enum(INCIDENT_STATES), text: z.string().trim().min(1).max(2000) })
export type IncidentUpdateForm = z.infer<typeof IncidentUpdateForm>

export const NewIncident = IncidentForm.extend(IncidentUpdateForm.shape)
export type NewIncident = z.infer<typeof NewIncident>

export const IncidentUpdate = IncidentUpdateForm.extend({ id: z.int(), created_at: UnixSeconds })
export type IncidentUpdate = z.infer<typeof IncidentUpdate>

export const StatusIncident = z.object({
  id: z.int(),
  /** Empty while an incident is only proposed by channel health. */
  title: z.string(),
  state: z.enum(INCIDENT_STATES),
  groups: z.array(z.string()),
  is_public: z.boolean(),
  /** Why channel health opened it; never public. */
  cause: z.string(),
  started_at: UnixSeconds,
  /** 0: it is not over. */
  resolved_at: UnixSeconds,
  changed_at: UnixSeconds,
  /** Newest first. */
  updates: z.array(IncidentUpdate),
})
export type StatusIncident = z.infer<typeof StatusIncident>

export const StatusIncidents = z.object({
  /** The public page is on. */
  is_on: z.boolean(),
  /** Names of the groups that the page shows. */
  groups: z.array(z.string()),
  incidents: z.array(StatusIncident),
})
export type StatusIncidents = z.infer<typeof StatusIncidents>

export const statusIncidents = {
  list: endpoint({
    method: 'GET',
    path: '/api/status_incident/',
    access: 'admin',
    summary: 'Incidents of the public status page with their updates, newest first, and the groups of the page (ours)',
    data: StatusIncidents,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/status_incident/',
    access: 'admin',
    summary: 'Opens an incident with its first update (ours)',
    body: NewIncident,
    data: z.object({ id: z.int() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/status_incident/{id}',
    access: 'admin',
    summary: 'Changes title, groups and visibility of an incident (ours)',
    params: IdParams,
    body: IncidentForm,
  }),
  addUpdate: endpoint({
    method: 'POST',
    path: '/api/status_incident/{id}/updates',
    access: 'admin',
    summary: 'Adds an update to an incident, which takes its state (ours)',
    params: IdParams,
    body: IncidentUpdateForm,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/status_incident/{id}',
    access: 'admin',
    summary: 'Removes an incident with its updates (ours)',
    params: IdParams,
  }),
}
