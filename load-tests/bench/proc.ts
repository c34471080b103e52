import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MICROS = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU time (user and system) of these processes so far, in microseconds, from /proc/<pid>/stat. Resolution: one tick (10 ms). */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = statOf(pid)
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
  }, 0)
}

/** The same including descendants and exited children (fields 13 and 14), because Postgres starts and ends helper processes. */
export function cpuMicrosOfAll(pid: number): number {
  const descendants = familyOf(pid).slice(1)
  const ofDescendants = descendants.map((one) => {
    try {
      return cpuMicros([one])
    } catch {
      // It has exited since it was listed: the parent, read below, has its time.
      return 0
    }
  })
  const fields = statOf(pid)
  return ofDescendants.reduce((sum, one) => sum + one, cpuMicros([pid])) + (Number(fields[13]) + Number(fields[14])) * TICK_MICROS
}

/** Steal time of all cores so far, in microseconds (proc_stat(5)). */
export function stolenMicros(): number {
  const all = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ')
  return Number(all?.[7] ?? 0) * TICK_MICROS
}

/** Resident memory of these processes, in bytes. */
export function rssBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return sum + Number(match?.[1] ?? 0) * 1024
  }, 0)
}

/** A process and its descendants. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      parents.set(Number(name), Number(statOf(Number(name))[1]))
    } catch {
      // It has exited.
    }
  }
  const family = [pid]
  for (const one of family) for (const [child, parent] of parents) if (parent === one) family.push(child)
  return family
}

/** Fields after the program's name: 0 is the state, 1 the parent, 11 and 12 utime and stime (proc_pid_stat(5)). */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
