import type { Db } from '@tollgate/db/connect'
import { AppError } from '@tollgate/contracts/app-error'
import { keepLogsIn } from '@tollgate/db/log-store'
import { findLogStoreSince, noteLogStore, withLogStoreLock } from '@tollgate/db/queries/ledger/log-outbox'
import { createClickHouseStore, type ClickHouseStore } from './clickhouse.ts'

type Options = {
  /** LOG_STORE_URL; empty: log rows are in Postgres. */
  readonly url: string
  readonly db: Db
  /** Other connections to that Postgres, or to copies of it. */
  readonly others?: readonly Db[]
  readonly log?: { warn(details: object, text: string): void }
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Makes the queries of these connections use the log store of an environment; undefined: it names none. Fails if the store is newer than
 * this release, and if the installation uses one and the environment names none. A store that does not answer stops nothing.
 */
export async function openLogStore({ url, db, others = [], log, now }: Options): Promise<ClickHouseStore | undefined> {
  if (url === '') {
    if ((await findLogStoreSince(db)) === undefined) return undefined
    throw new Error('The log rows of this installation are in a log store: set LOG_STORE_URL for every service, as for those that use it')
  }
  const store = createClickHouseStore({ url, exclusively: (work) => withLogStoreLock(db, work) })
  await noteLogStore(db, Math.floor(now() / 1000))
  for (const one of [db, ...others]) keepLogsIn(one, store)
  try {
    await store.prepare()
  } catch (err) {
    if (!isAway(err)) throw err
    log?.warn({ err }, 'The log store does not answer: log rows wait in Postgres')
  }
  return store
}

const isAway = (error: unknown): boolean => error instanceof AppError
