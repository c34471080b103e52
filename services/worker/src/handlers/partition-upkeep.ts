import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { tidyDeliveries } from '../deliveries/send-due.ts'
import { keepPartitions, partitionImportedMonths } from '../upkeep/partitions.ts'

/** Idempotent: an existing partition is not changed, and what is deleted stays deleted. */
export const partitionUpkeep =
  (deps: Deps): Handler<'partition-upkeep'> =>
  async () => {
    await tidyDeliveries(deps)
    const now = new Date(deps.now())
    const { created, dropped } = await keepPartitions(deps.db, now)
    return { created: [...created, ...(await partitionImportedMonths(deps.db, now))], dropped }
  }
