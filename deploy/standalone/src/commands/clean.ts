import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stopOrphans } from '../processes/orphans.ts'
import { findLive } from '../processes/pid-files.ts'
import type { Paths } from '../machine/paths.ts'
import { log } from '../machine/log.ts'

/** Removes the data, keys, logs and built console of this clone. */
export async function clean(paths: Paths): Promise<number> {
  const running = await findLive(paths, 'launcher')
  if (running !== undefined) throw new Error(`Tollgate is running from this folder (pid ${running.pid}); stop it first`)
  await stopOrphans(paths, ['relay', 'worker', 'control-plane', 'redis', 'postgres'])
  await rm(paths.stateDir, { recursive: true, force: true })
  await rm(join(paths.root, 'web/console/dist'), { recursive: true, force: true })
  log(`removed ${paths.stateDir} and the built console`)
  return 0
}
