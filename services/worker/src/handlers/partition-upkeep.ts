import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { tidyDeliveries } from '../deliveries/send-due.ts'
import { keepPartitions } from '../upkeep/partitions.ts'

/** Idempotent: an existing partition is not changed, and what is deleted stays deleted. */
export const partitionUpkeep =
  (deps: Deps): Handler<'partition-upkeep'> =>
  async () => {
    await tidyDeliveries(deps)
    return await keepPartitions(deps.db, new Date(deps.now()))
  }
