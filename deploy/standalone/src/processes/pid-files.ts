import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { isAlive } from '@tollgate/servers/local-process'
import type { Paths } from '../machine/paths.ts'

const run = promisify(execFile)

const PidRecord = z.object({
  pid: z.int().positive(),
  /** Start time of the process in the system's own format; distinguishes a reused pid. */
  born: z.string(),
  port: z.int(),
})
export type PidRecord = z.infer<typeof PidRecord>

/** Writes the pid file of this clone's process `name`. */
export async function writePidFile(paths: Paths, name: string, { pid, port }: { pid: number; port: number }): Promise<void> {
  const record: PidRecord = { pid, born: await birthOf(pid), port }
  await writeFile(pathOf(paths, name), JSON.stringify(record), { mode: 0o600 })
}

/** The live process of this name; removes the pid file of a dead or different process. */
export async function findLive(paths: Paths, name: string): Promise<PidRecord | undefined> {
  const record = await readRecord(paths, name)
  if (record === undefined) return undefined
  if (isAlive(record.pid) && (await birthOf(record.pid)) === record.born) return record
  await removePidFile(paths, name)
  return undefined
}

export async function removePidFile(paths: Paths, name: string): Promise<void> {
  await rm(pathOf(paths, name), { force: true })
}

async function readRecord(paths: Paths, name: string): Promise<PidRecord | undefined> {
  try {
    return PidRecord.parse(JSON.parse(await readFile(pathOf(paths, name), 'utf8')))
  } catch {
    // Absent, or truncated by a crash: treated as no record.
    return undefined
  }
}

/** Start time from /proc in clock ticks since boot; elsewhere from `ps` as a date. A zombie counts as dead. */
async function birthOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'gone' : (rest[18] ?? '')
  } catch {
    // No /proc, or the process has just exited.
    return await run('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
      ({ stdout }) => stdout.trim(),
      () => 'gone',
    )
  }
}

function pathOf(paths: Paths, name: string): string {
  return join(paths.stateDir, 'pids', `${name}.json`)
}
