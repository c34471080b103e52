import { REDIS_SWAPS } from './deeds.ts'
import type { ClientEntry } from './load.ts'
import type { Incident } from './trouble.ts'

/** A relay keeps each settlement this long after its answer; what Redis forgets later is known to Redis alone. */
const RELAY_REMEMBERS_MS = 10_000
const BACK_AGAIN_MS = 10_000

/** When the request was under way: from its start to the end of what the gateway does about it. */
const touches = ({ started_at, ended_at }: ClientEntry, { from, to }: Incident, afterMs = 0): boolean =>
  started_at <= endOf(to) && (ended_at || Date.now()) + afterMs >= from

const endOf = (to: number): number => (to === 0 ? Date.now() : to)

/**
 * What two deaths took away, known to nobody any more (ledger.md section 7): Redis came back with other contents and the relay that
 * could have sent the settlement again died too; or Redis came back empty while nobody could post; or Postgres and Redis both came
 * back older.
 */
export function isBeyondRepair(client: ClientEntry, incidents: readonly Incident[]): boolean {
  return incidents.some((swap) => REDIS_SWAPS.includes(swap.kind) && isForgotten(client, swap, incidents))
}

function isForgotten(client: ClientEntry, swap: Incident, incidents: readonly Incident[]): boolean {
  if (!touches(client, swap, 60_000)) return false
  const during = (from: number, to: number) => (one: Incident) => one.from <= to && endOf(one.to) >= from
  const around = during(client.started_at, endOf(swap.to) + BACK_AGAIN_MS)
  const others = incidents.filter((one) => one !== swap && around(one))
  if (others.some(({ kind, target }) => kind === 'relay-kill' && target === client.relay)) return true
  if (others.some(({ kind }) => kind === 'postgres-rollback')) return true
  const isOld = client.ended_at + RELAY_REMEMBERS_MS - 2000 < swap.from
  return swap.kind === 'redis-empty' && isOld && others.some(({ target }) => target === 'worker' || target === 'postgres')
}

/** Whether the request was open when Redis lost its hold: then its money was free for others, and its charge came on top. */
export function lostItsHold(client: ClientEntry, incidents: readonly Incident[]): boolean {
  return incidents.some((swap) => REDIS_SWAPS.includes(swap.kind) && touches(client, swap))
}

/** Redis was away, closed or frozen while this answer was under way: nobody could note how far it had come. */
export function redisWasAway(incidents: readonly Incident[], from: number, to: number): boolean {
  return incidents.some((one) => one.target === 'redis' && one.from <= to && endOf(one.to) + 3000 >= from)
}
