import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { keepPartitions } from '../partitions.ts'

/** Idempotent: a partition that exists is left alone. */
export const partitionUpkeep =
  (deps: Deps): Handler<'partition-upkeep'> =>
  () =>
    keepPartitions(deps.db, new Date(deps.now()))
