import { setTimeout as wait } from 'node:timers/promises'
import { findLive, removePidFile, writePidFile } from './pid-files.ts'
import type { Place } from './place.ts'

/** A launcher that is just stopping gets this long before a new one gives up. */
const STOPPING_MS = 3000

/** One launcher per clone: notes ours, or throws one line when another is running. */
export async function claim(place: Place, port: number): Promise<{ release(): Promise<void> }> {
  const deadline = Date.now() + STOPPING_MS
  for (;;) {
    const other = await findLive(place, 'launcher')
    if (other === undefined) break
    if (Date.now() > deadline)
      throw new Error(`Tollgate already runs from this folder at http://localhost:${other.port} (pid ${other.pid})`)
    await wait(100)
  }
  await writePidFile(place, 'launcher', { pid: process.pid, port })
  return { release: () => removePidFile(place, 'launcher') }
}
