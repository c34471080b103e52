import type { Tx } from '@tollgate/db/connect'
import type { Deps } from './deps.ts'

/** Several questions about the same moment of the database. */
export function withReadSnapshot<T>(deps: Pick<Deps, 'db'>, ask: (tx: Tx) => Promise<T>): Promise<T> {
  return deps.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(ask)
}
