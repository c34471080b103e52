import { AppError } from '@tollgate/contracts/app-error'
import { toPublicOptions } from '@tollgate/contracts/options/registry'
import { SiteStatus } from '@tollgate/contracts/resources/status'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { isSetUp } from '@tollgate/db/queries/installation/setup'
import type { Deps } from '../../deps.ts'

/** The public data of the site: the public options, and fields derived from other options. */
export async function getSiteStatus(deps: Deps): Promise<SiteStatus> {
  const [options, isDone] = await Promise.all([deps.options.all(), isSetUp(deps.db)])
  return SiteStatus.parse({
    ...toPublicOptions(options),
    server_address: options.ServerAddress === '' ? deps.env.PUBLIC_URL : options.ServerAddress,
    version: deps.version,
    start_time: deps.started_at,
    // The worker always posts usage in batches.
    enable_batch_update: true,
    enable_online_topup: options.PayAddress !== '' && options.EpayId !== '' && options.EpayKey !== '',
    setup: isDone,
  })
}

/** Reads a row from the database. */
export async function testDatabase(deps: Deps): Promise<{ success: boolean; message: string }> {
  try {
    await getSnapshotVersion(deps.db)
  } catch (cause) {
    throw new AppError('status.database', {}, { cause })
  }
  return { success: true, message: 'Server is running' }
}
