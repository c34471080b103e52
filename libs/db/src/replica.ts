import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectDb, type Db } from './connect.ts'
import { withStatements } from './statement-limits.ts'

const LOOK_EVERY_MS = 1000
/** Positions of the primary that are remembered, newest first. */
const MAX_SEEN = 120

export type Replica = {
  readonly db: Db
  /** The replica, if it shows everything that was committed `maxLagMs` ago. */
  usable(): Db | undefined
  /** How far it is behind at most; undefined: it is away, follows another primary, or was never reached. */
  lagMs(): number | undefined
  stop(): Promise<void>
}

type ReplicaOptions = {
  readonly url: string
  readonly primary: Db
  readonly max: number
  readonly name: string
  readonly maxLagMs: number
}
type Seen = { readonly at: number; readonly position: number }

/**
 * A streaming standby for reads. The delay is not taken from its clock, which stands still when nothing is written: every second the
 * position of the primary's log is noted, and the replica shows all that was committed before the newest position that it has replayed.
 */
export function connectReplica({ url, primary, max, name, maxLagMs }: ReplicaOptions): Replica {
  const db = connectDb({ url, max, name, isReplica: true })
  const stopping = new AbortController()
  let seen: readonly Seen[] = []
  let coversUntil: number | undefined

  const look = async (): Promise<void> => {
    const at = performance.now()
    const { system, position } = await readPrimary(primary)
    seen = [{ at, position }, ...seen].slice(0, MAX_SEEN)
    const replayed = await readReplayed(db, system)
    coversUntil = replayed === undefined ? undefined : (seen.find((one) => one.position <= replayed)?.at ?? coversUntil)
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Both pools report their own failures; here the bound grows until reads leave the replica.
      await withStatements('lookup', look).catch(() => undefined)
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  const lagMs = (): number | undefined => (coversUntil === undefined ? undefined : performance.now() - coversUntil)
  return {
    db,
    lagMs,
    usable: () => ((lagMs() ?? Infinity) <= maxLagMs ? db : undefined),
    stop: async () => {
      stopping.abort()
      await running
      await db.destroy()
    },
  }
}

type Primary = { readonly system: string; readonly position: number }

async function readPrimary(db: Db): Promise<Primary> {
  const { rows } = await sql<Primary>`
    select (pg_control_system()).system_identifier::text as system, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as position`.execute(
    db,
  )
  if (rows[0] === undefined) throw new Error('Postgres did not say where its log stands')
  return rows[0]
}

/** Undefined: it is no standby of this primary. */
async function readReplayed(db: Db, system: string): Promise<number | undefined> {
  const { rows } = await sql<{ replayed: number | null }>`
    select case when pg_is_in_recovery() and (pg_control_system()).system_identifier::text = ${system}
      then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as replayed`.execute(db)
  return rows[0]?.replayed ?? undefined
}
