import type { Tx } from '@tollgate/db/connect'
import type { Deps } from './deps.ts'

/** Runs queries in one read-only snapshot, so that they see the same moment of the database. */
export function withReadSnapshot<T>(deps: Pick<Deps, 'db'>, read: (tx: Tx) => Promise<T>): Promise<T> {
  return deps.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}
