import { REDIS_SWAPS } from './faults.ts'
import { POSTGRES_SWAPS } from './swaps.ts'
import type { ClientRequest } from './load.ts'
import type { InjectedFault } from './fault-injector.ts'

/** When a client was served, by which relay. */
type Served = Pick<ClientRequest, 'started_at' | 'ended_at' | 'relay'>

/** How long a relay keeps a settlement after its response; older settlements are in Redis only. */
const SETTLEMENT_KEPT_MS = 10_000
/** How long after a Redis redisFault a second fault can still destroy what the first one lost. */
const RECOVERY_MS = 10_000

/** True if the request was open during the fault; `afterMs` extends its end by the time its settlement may take. */
const touches = ({ started_at, ended_at }: Served, { from, to }: InjectedFault, afterMs = 0): boolean =>
  started_at <= endOf(to) && (ended_at || Date.now()) + afterMs >= from

const endOf = (to: number): number => (to === 0 ? Date.now() : to)

/**
 * True if two faults at once lost this request's settlement, which the ledger does not promise to survive (docs/ledger.md): Redis came
 * back with other contents and the relay that could have sent the settlement again died too; or Redis came back empty while worker or
 * Postgres were down; or Postgres and Redis both came back older.
 */
export function isUnrecoverable(client: Served, injected: readonly InjectedFault[]): boolean {
  return injected.some((redisFault) => REDIS_SWAPS.includes(redisFault.kind) && wasLost(client, redisFault, injected))
}

function wasLost(client: Served, redisFault: InjectedFault, injected: readonly InjectedFault[]): boolean {
  if (!touches(client, redisFault, 60_000)) return false
  const during = (from: number, to: number) => (one: InjectedFault) => one.from <= to && endOf(one.to) >= from
  const around = during(client.started_at, endOf(redisFault.to) + RECOVERY_MS)
  const others = injected.filter((one) => one !== redisFault && around(one))
  if (others.some(({ kind, target }) => kind === 'relay-kill' && target === client.relay)) return true
  if (others.some(({ kind }) => POSTGRES_SWAPS.includes(kind))) return true
  const isOld = client.ended_at + SETTLEMENT_KEPT_MS - 2000 < redisFault.from
  return redisFault.kind === 'redis-empty' && isOld && others.some(({ target }) => target === 'worker' || target === 'postgres')
}

/** True if the relay of this request was killed while it served it. */
export const wasKilled = (client: Served, injected: readonly InjectedFault[]): boolean =>
  injected.some((one) => one.kind === 'relay-kill' && one.target === client.relay && touches(client, one))

/**
 * True if Redis may have forgotten this request's hold or, if it had just ended, its charge: other requests could then spend the same
 * money until the charge came again. Such a charge is booked after the fault began, even if its client had been answered before it;
 * a charge that was booked before it is in Postgres. `bookedAt`: Unix milliseconds.
 */
export function lostItsHold({ started_at }: ClientRequest, bookedAt: number, injected: readonly InjectedFault[]): boolean {
  return injected.some(({ kind, from, to }) => REDIS_SWAPS.includes(kind) && started_at <= endOf(to) && bookedAt >= from)
}

/** True if Redis was unavailable during this response, so that the relay could not record its progress. */
export function redisWasUnavailable(injected: readonly InjectedFault[], from: number, to: number): boolean {
  return injected.some((one) => one.target === 'redis' && one.from <= to && endOf(one.to) + 3000 >= from)
}
