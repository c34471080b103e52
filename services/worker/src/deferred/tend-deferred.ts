import { RESPONSE_LIFETIME_S } from '@tollgate/contracts/deferred'
import { endOverdue, purgeResponses } from '@tollgate/db/queries/deferred-requests'
import { purgeFiles } from '@tollgate/db/queries/files'
import type { Deps } from '../deps.ts'
import { closeBatch } from './close-batch.ts'
import { openBatch } from './open-batch.ts'

const ROUNDS = 20
const ABANDONED_S = 3600
const PURGED = 20

/** Opens new batches, ends what is overdue, and closes batches whose lines have ended. Any number of workers may run it side by side. */
export async function tendDeferred({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const seconds = Math.floor(now() / 1000)
  for (let round = 0; round < ROUNDS; round += 1) if (!(await openBatch(db, seconds))) break
  await endOverdue(db, seconds)
  for (let round = 0; round < ROUNDS; round += 1) if (!(await closeBatch(db, seconds))) break
}

/** Deletes files and background responses whose time is over. */
export async function purgeDeferred({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const seconds = Math.floor(now() / 1000)
  await purgeFiles(db, { now: seconds, abandoned_before: seconds - ABANDONED_S, limit: PURGED })
  await purgeResponses(db, seconds - RESPONSE_LIFETIME_S)
}
