import type { Db, Tx } from '@tollgate/db/connect'

/** The result of a transaction whose changes are not kept. */
class RolledBack<T> extends Error {
  readonly result: T
  constructor(result: T) {
    super('rolled back')
    this.name = 'RolledBack'
    this.result = result
  }
}

export const rollBackWith = <T>(result: T): RolledBack<T> => new RolledBack(result)

const ATTEMPTS = 5

/**
 * Runs reads and changes of the configuration at one moment of the database. A change of another call in between makes it run again, since
 * Postgres refuses to write rows that are newer than the moment.
 */
export async function inConfigTransaction<T>(db: Db, run: (tx: Tx) => Promise<T | RolledBack<T>>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(db, run)
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error
    }
  }
}

async function once<T>(db: Db, run: (tx: Tx) => Promise<T | RolledBack<T>>): Promise<T> {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const result = await run(tx)
        // Only a thrown value makes Kysely roll back.
        if (result instanceof RolledBack) throw result
        return result
      })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T // thrown above
    throw error
  }
}

/** Serialization failure, or deadlock. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01'])

const isConflict = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && CONFLICTS.has(error.code)
