import { readdirSync, readlinkSync } from 'node:fs'
import { createWriteStream } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readLiveHeap } from '../bench/heap.ts'
import { openInspector } from '../bench/inspector.ts'
import { rssBytes } from '../bench/proc.ts'
import type { ServiceProcess } from './product.ts'

type Counts = Readonly<Record<string, number>>

/** One process between loads. Bytes after two full collections. */
export type Reading = {
  readonly part: string
  /** Seconds since the first reading. */
  readonly at: number
  readonly objects: number
  readonly code: number
  readonly external: number
  readonly rss: number
  /** Open descriptors by kind: socket, pipe, file, eventpoll … */
  readonly descriptors: Counts
  /** Resources that keep Node's event loop alive, by kind (process.getActiveResourcesInfo). */
  readonly handles: Counts
}

/** Readings that a leak would raise: code is left out, because V8 adds it for hours and ends at the size of the program. */
export const live = ({ objects, external }: Reading): number => objects + external
export const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

export async function readAll(processes: readonly ServiceProcess[], at: number): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const part of processes) readings.push(await readProcess(part, at))
  return readings
}

async function readProcess({ name, pid, inspector: url }: ServiceProcess, at: number): Promise<Reading> {
  // Counted before this process connects to the inspector.
  const descriptors = countDescriptors(pid)
  const inspector = await openInspector(url)
  try {
    const handles = countEach((await inspector.evaluate('process.getActiveResourcesInfo()')) as string[]) // documented as a list of names
    const { objects, code, external } = await readLiveHeap(inspector)
    return { part: name, at, objects, code, external, rss: rssBytes([pid]), descriptors, handles }
  } finally {
    inspector.close()
  }
}

export function countDescriptors(pid: number): Counts {
  const folder = `/proc/${pid}/fd`
  const kinds = readdirSync(folder).map((fd) => {
    try {
      return kindOf(readlinkSync(`${folder}/${fd}`))
    } catch {
      // It has been closed.
      return undefined
    }
  })
  return countEach(kinds.filter((kind) => kind !== undefined))
}

/** `socket:[123]`, `pipe:[123]`, `anon_inode:[eventpoll]`; the rest are paths. */
const kindOf = (target: string): string => /^anon_inode:\[?(\w+)/.exec(target)?.[1] ?? /^(socket|pipe):/.exec(target)?.[1] ?? 'file'

function countEach(names: readonly string[]): Counts {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Waits until the number of open descriptors has not changed for `stillMs`, at most `maxMs`. */
export async function waitUntilStable(
  processes: readonly ServiceProcess[],
  { stillMs, maxMs }: { stillMs: number; maxMs: number },
): Promise<void> {
  const count = (): number => processes.reduce((sum, { pid }) => sum + readdirSync(`/proc/${pid}/fd`).length, 0)
  const deadline = performance.now() + maxMs
  let [before, since] = [count(), performance.now()]
  while (performance.now() - since < stillMs && performance.now() < deadline) {
    await wait(POLL_MS)
    const found = count()
    if (found !== before) [before, since] = [found, performance.now()]
  }
}

const POLL_MS = 500

/** Writes a heap snapshot for a browser's developer tools. */
export async function takeSnapshot({ inspector: url }: ServiceProcess, file: string): Promise<void> {
  const inspector = await openInspector(url)
  const out = createWriteStream(file)
  try {
    inspector.listen('HeapProfiler.addHeapSnapshotChunk', (params) => void out.write((params as { chunk: string }).chunk)) // DevTools protocol
    await inspector.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  } finally {
    inspector.close()
    await new Promise<void>((resolve) => out.end(resolve))
  }
}
