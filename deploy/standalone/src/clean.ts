import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stopLeftovers } from './leftovers.ts'
import { findLive } from './pid-files.ts'
import type { Place } from './place.ts'
import { say } from './say.ts'

/** Removes what this clone keeps: data, keys, logs, the built console. */
export async function clean(place: Place): Promise<number> {
  const running = await findLive(place, 'launcher')
  if (running !== undefined) throw new Error(`Tollgate is running from this folder (pid ${running.pid}); stop it first`)
  await stopLeftovers(place, ['relay', 'worker', 'control-plane', 'redis', 'postgres'])
  await rm(place.stateDir, { recursive: true, force: true })
  await rm(join(place.root, 'web/console/dist'), { recursive: true, force: true })
  say(`removed ${place.stateDir} and the built console`)
  return 0
}
