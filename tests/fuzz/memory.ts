import { readFile } from 'node:fs/promises'
import type { Target } from './target.ts'

export type MemoryUse = {
  readonly name: Target['processes'][number]['name']
  readonly start_mb: number
  readonly peak_mb: number
  readonly end_mb: number
}

const EVERY_MS = 250

/** Samples the resident memory of every process until `stop`. */
export function watchMemory({ processes }: Target): { stop(): Promise<MemoryUse[]> } {
  const seen = processes.map(({ name, pid }) => ({ name, pid, samples: new Array<number>() }))
  const sample = async (): Promise<void> => {
    for (const { pid, samples } of seen) samples.push(await readRss(pid()))
  }
  const timer = setInterval(() => void sample(), EVERY_MS)
  const first = sample()
  return {
    stop: async () => {
      clearInterval(timer)
      await first
      await sample()
      return seen.map(({ name, samples }) => ({
        name,
        start_mb: samples[0] ?? 0,
        peak_mb: Math.max(...samples),
        end_mb: samples.at(-1) ?? 0,
      }))
    },
  }
}

/** Megabytes; 0 for a process that has ended. */
async function readRss(pid: number): Promise<number> {
  // A process that has ended has no status file.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
