import { setTimeout as wait } from 'node:timers/promises'
import { findLive, removePidFile, writePidFile } from './pid-files.ts'
import type { Paths } from '../machine/paths.ts'

/** How long a new launcher waits for a stopping one, in milliseconds. */
const STOPPING_MS = 3000

/** Allows one launcher per clone: writes our pid file, or throws a one-line error when another launcher runs. */
export async function lock(paths: Paths, port: number): Promise<{ release(): Promise<void> }> {
  const deadline = Date.now() + STOPPING_MS
  for (;;) {
    const other = await findLive(paths, 'launcher')
    if (other === undefined) break
    if (Date.now() > deadline)
      throw new Error(`Tollgate already runs from this folder at http://localhost:${other.port} (pid ${other.pid})`)
    await wait(100)
  }
  await writePidFile(paths, 'launcher', { pid: process.pid, port })
  return { release: () => removePidFile(paths, 'launcher') }
}
