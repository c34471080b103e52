import type { Tx } from '@tollgate/db/connect'
import { withStatements } from '@tollgate/db/statement-limits'
import type { Deps } from './deps.ts'

/**
 * Runs queries in one read-only snapshot, so that they see the same moment of the database. They run on connections of their own: money,
 * sign-in and internal calls never wait for them.
 */
export function withReadSnapshot<T>({ reads }: Pick<Deps, 'reads'>, read: (tx: Tx) => Promise<T>): Promise<T> {
  return withStatements('read', () => reads.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read))
}
