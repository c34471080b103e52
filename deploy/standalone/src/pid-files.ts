import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { isAlive } from '@tollgate/servers/local-process'
import type { Place } from './place.ts'

const run = promisify(execFile)

const PidRecord = z.object({
  pid: z.int().positive(),
  /** When the process began, in whatever form this system tells it: a reused id does not have it. */
  born: z.string(),
  port: z.int(),
})
export type PidRecord = z.infer<typeof PidRecord>

/** Notes that `pid` is this clone's `name`. */
export async function writePidFile(place: Place, name: string, { pid, port }: { pid: number; port: number }): Promise<void> {
  const record: PidRecord = { pid, born: await birthOf(pid), port }
  await writeFile(pathOf(place, name), JSON.stringify(record), { mode: 0o600 })
}

/** The live process noted under the name; a note about a dead or another process is removed. */
export async function findLive(place: Place, name: string): Promise<PidRecord | undefined> {
  const record = await readRecord(place, name)
  if (record === undefined) return undefined
  if (isAlive(record.pid) && (await birthOf(record.pid)) === record.born) return record
  await removePidFile(place, name)
  return undefined
}

export async function removePidFile(place: Place, name: string): Promise<void> {
  await rm(pathOf(place, name), { force: true })
}

async function readRecord(place: Place, name: string): Promise<PidRecord | undefined> {
  try {
    return PidRecord.parse(JSON.parse(await readFile(pathOf(place, name), 'utf8')))
  } catch {
    // Absent, or cut short by a crash: both say that nothing is known.
    return undefined
  }
}

/** Linux tells the start in clock ticks since boot; elsewhere `ps` tells the time of day. A zombie counts as gone. */
async function birthOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'gone' : (rest[18] ?? '')
  } catch {
    // No /proc, or the process has just gone.
    return await run('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
      ({ stdout }) => stdout.trim(),
      () => 'gone',
    )
  }
}

function pathOf(place: Place, name: string): string {
  return join(place.stateDir, 'pids', `${name}.json`)
}
