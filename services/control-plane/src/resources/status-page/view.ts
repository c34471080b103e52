import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { IncidentState } from '@tollgate/contracts/resources/status-page'
import { MAX_STATUS_GROUPS } from '@tollgate/contracts/values/status-groups'
import { mergeCounts, percentileOf } from '@tollgate/db/duration-histogram'
import { listIncidents, type IncidentWithUpdates } from '@tollgate/db/queries/installation/status-incidents'
import { listModelsServed, type ModelServed } from '@tollgate/db/queries/usage/usage-series'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { readPageSettings, type PageSettings } from './groups.ts'

export const SHOWN_DAYS = 90
const MAX_INCIDENTS = 50
/** Fewer requests say too little about a day or an hour. */
export const LEAST_REQUESTS = 10
/** Shares of requests without a fault: below the first a group is degraded, below the second it is down. */
const LEVELS = { degraded: 0.99, outage: 0.9 } as const

export type GroupState = 'operational' | 'degraded' | 'outage' | 'unknown'

/** `date`: a day of UTC. Null: too few requests. */
export type StatusDay = { readonly date: string; readonly availability: number | null; readonly first_token_ms: number | null }

export type GroupStatus = {
  readonly name: string
  readonly state: GroupState
  /** Over all days that are shown. */
  readonly availability: number | null
  readonly first_token_ms: number | null
  readonly days: readonly StatusDay[]
}

export type PublicIncident = {
  readonly id: number
  readonly title: string
  readonly state: IncidentState
  readonly groups: readonly string[]
  readonly started_at: string
  readonly resolved_at: string | null
  readonly changed_at: string
  /** Newest first. */
  readonly updates: readonly { readonly state: IncidentState; readonly text: string; readonly at: string }[]
}

export type StatusView = {
  readonly name: string
  readonly address: string
  readonly state: GroupState
  readonly groups: readonly GroupStatus[]
  readonly incidents: readonly PublicIncident[]
}

/** All that the public may see, and nothing else of what it is made from; undefined while the page is off. */
export function readStatusView(deps: Deps): Promise<StatusView | undefined> {
  return withReadSnapshot(deps, async (tx) => {
    const settings = await readPageSettings(deps.options, tx)
    if (!settings.isOn) return undefined
    const now = nowSeconds(deps)
    const today = now - (now % DAY_SECONDS)
    const hour = now - (now % HOUR_SECONDS)
    const from = today - (SHOWN_DAYS - 1) * DAY_SECONDS
    const days = await listModelsServed(tx, { from, until: today + DAY_SECONDS, seconds: DAY_SECONDS })
    const recent = await listModelsServed(tx, { from: hour - HOUR_SECONDS, until: hour + HOUR_SECONDS, seconds: HOUR_SECONDS })
    const incidents = (await listIncidents(tx, { limit: MAX_INCIDENTS, onlyPublic: true, since: from })).map(toPublic)
    const open = incidents.filter(({ state }) => state !== 'resolved')
    const groups = toGroups(settings, { days, recent, open, from })
    const { siteName: name, address } = settings
    const state = worstOf([...groups.map((group) => group.state), open.some(affectsAll) ? 'degraded' : 'unknown'])
    return { name, address: address || deps.env.PUBLIC_URL, state, groups, incidents }
  })
}

type Facts = {
  readonly days: readonly ModelServed[]
  readonly recent: readonly ModelServed[]
  readonly open: readonly PublicIncident[]
  readonly from: UnixSeconds
}

/** An incident that names no group is one of the whole service. */
const affectsAll = ({ groups }: PublicIncident): boolean => groups.length === 0

function toGroups({ groupOf, names }: PageSettings, { days, recent, open, from }: Facts): GroupStatus[] {
  // A client chooses the name of the model that it asks for; one that answered exists.
  const served = new Set(days.filter(({ answered }) => answered > 0).map(({ model }) => model))
  const ofModel = ({ model }: ModelServed): string | undefined => (served.has(model) ? groupOf(model) : undefined)
  const byGroup = Map.groupBy(days, ofModel)
  const recentOf = Map.groupBy(recent, ofModel)
  const shown = names.length > 0 ? names : [...byGroup.keys()].filter((name) => name !== undefined).toSorted()
  return shown.slice(0, MAX_STATUS_GROUPS).map((name) => {
    const rows = byGroup.get(name) ?? []
    const isAffected = open.some((incident) => affectsAll(incident) || incident.groups.includes(name))
    return {
      name,
      state: stateOf(availabilityOf(recentOf.get(name) ?? []), isAffected),
      availability: availabilityOf(rows),
      first_token_ms: firstTokenOf(rows),
      days: toDays(rows, from),
    }
  })
}

function toDays(rows: readonly ModelServed[], from: UnixSeconds): StatusDay[] {
  const byDay = Map.groupBy(rows, ({ at }) => at)
  return Array.from({ length: SHOWN_DAYS }, (_, nth) => {
    const at = from + nth * DAY_SECONDS
    const own = byDay.get(at) ?? []
    return { date: isoOf(at).slice(0, 10), availability: availabilityOf(own), first_token_ms: firstTokenOf(own) }
  })
}

/** Requests without a fault as a share, rounded down: 100 % means that none failed. Days on which faults were not counted are left out. */
function availabilityOf(rows: readonly ModelServed[]): number | null {
  const counted = rows.filter(({ faults }) => faults !== null)
  const answered = counted.reduce((sum, row) => sum + row.answered, 0)
  const all = counted.reduce((sum, { faults }) => sum + (faults ?? 0), answered)
  return all < LEAST_REQUESTS ? null : Math.floor((answered / all) * 10_000) / 10_000
}

const firstTokenOf = (rows: readonly ModelServed[]): number | null => {
  const counts = mergeCounts(rows.map(({ first_token }) => first_token))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return total < LEAST_REQUESTS ? null : (percentileOf(counts, 0.5) ?? null)
}

function stateOf(recent: number | null, isAffected: boolean): GroupState {
  if (recent !== null && recent < LEVELS.outage) return 'outage'
  if (isAffected || (recent !== null && recent < LEVELS.degraded)) return 'degraded'
  return recent === null ? 'unknown' : 'operational'
}

const SEVERITY: readonly GroupState[] = ['unknown', 'operational', 'degraded', 'outage']

const worstOf = (states: readonly GroupState[]): GroupState =>
  states.reduce((worst, state) => (SEVERITY.indexOf(state) > SEVERITY.indexOf(worst) ? state : worst), 'unknown')

function toPublic({ id, title, state, groups, started_at, resolved_at, changed_at, updates }: IncidentWithUpdates): PublicIncident {
  return {
    id,
    title,
    state,
    groups,
    started_at: isoOf(started_at),
    resolved_at: resolved_at === 0 ? null : isoOf(resolved_at),
    changed_at: isoOf(changed_at),
    updates: updates.map(({ state: updated, text, created_at }) => ({ state: updated, text, at: isoOf(created_at) })),
  }
}

const isoOf = (at: UnixSeconds): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')
