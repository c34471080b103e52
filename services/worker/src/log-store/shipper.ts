import { AppError } from '@tollgate/contracts/app-error'
import { shipLogs } from '@tollgate/log-store/ship-logs'
import type { Deps } from '../deps.ts'

/** Brings what waits to the log store; does nothing without one. What the store does not take waits for the next call. */
export type Shipper = () => Promise<void>

/** Posting never waits for the log store: what cannot be brought there stays in Postgres (ADR 141). */
export function createShipper({ db, logStore: store, log, now }: Pick<Deps, 'db' | 'logStore' | 'log' | 'now'>): Shipper {
  let awaySince: number | undefined
  return async () => {
    if (store === undefined) return
    try {
      await shipLogs({ db, store, now })
      if (awaySince !== undefined) log.warn({ duration_ms: Math.round(now() - awaySince) }, 'The log store answers again')
      awaySince = undefined
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      // One line per outage.
      if (awaySince !== undefined) return
      awaySince = now()
      log.error({ err }, 'Log rows wait in Postgres: the log store does not take them')
    }
  }
}
