import type { Logger } from '@tollgate/telemetry/logger'
import type { Db } from '@tollgate/db/connect'
import { endUnfinishedStatements } from '@tollgate/db/queries/installation/unfinished-statements'

/** Ends transactions, and with them locks, of processes that vanished in the middle of a statement. */
export async function endUnfinished({ db, log }: { readonly db: Db; readonly log: Logger }): Promise<void> {
  const connections = await endUnfinishedStatements(db)
  if (connections > 0) log.warn({ count: connections }, 'Ended connections of processes that vanished in the middle of a statement')
}
