import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '@tollgate/contracts/app-error'
import type { Db, Tx } from '@tollgate/db/connect'
import { withStatements } from '@tollgate/db/statement-limits'
import type { BindOptions } from '@tollgate/http/bind-all'
import { hasWritten, noteWrite } from '@tollgate/redis/stores/recent-writes'
import type { Deps } from './deps.ts'

type ReadDeps = Pick<Deps, 'reads' | 'replica'>

/** Set while a call is served whose reads may be as old as the replica. */
const mayLag = new AsyncLocalStorage<true>()

/**
 * Runs queries in one read-only snapshot, so that they see the same moment of the database. They run on connections of their own: money,
 * sign-in and internal calls never wait for them. What fails on the replica, or is not there yet, is read from the primary.
 */
export async function withReadSnapshot<T>({ reads, replica }: ReadDeps, read: (tx: Tx) => Promise<T>): Promise<T> {
  const copy = mayLag.getStore() === true ? replica?.usable() : undefined
  if (copy === undefined) return await inSnapshot(reads, read)
  try {
    return await inSnapshot(copy, read)
  } catch (error) {
    if (error instanceof AppError && error.code === 'store.too-long') throw error
    return await inSnapshot(reads, read)
  }
}

function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return withStatements('read', () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read))
}

/**
 * Lets calls that change nothing read from the replica, unless their account has changed something, or signed in, within the time that the
 * replica may be behind: an account sees its own changes at once.
 */
export function createReadRouting({ replica, redis, env, now }: Pick<Deps, 'replica' | 'redis' | 'env' | 'now'>): BindOptions['around'] {
  if (replica === undefined) return undefined
  const maxLagMs = env.DATABASE_REPLICA_MAX_LAG * 1000
  const note = (id: number | undefined): Promise<void> =>
    id === undefined ? Promise.resolve() : noteWrite(redis, id, maxLagMs).catch(() => undefined)
  return async ({ endpoint, actor }, run) => {
    if (endpoint.changes) {
      try {
        return await run()
      } finally {
        await note(actor?.id)
      }
    }
    if (actor === undefined || replica.usable() === undefined) return await run()
    if (now() - (actor.proved_at ?? 0) * 1000 <= maxLagMs + 1000) return await run()
    // Without an answer from Redis the primary is read.
    if (await hasWritten(redis, actor.id).catch(() => true)) return await run()
    return await mayLag.run(true, run)
  }
}
