import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { keepPartitions } from '../partitions.ts'

/** Idempotent: an existing partition is not changed. */
export const partitionUpkeep =
  (deps: Deps): Handler<'partition-upkeep'> =>
  () =>
    keepPartitions(deps.db, new Date(deps.now()))
