import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { VERSION } from '@tollgate/config/version'

export type ProcessFacts = {
  readonly version: string
  readonly host: string
  readonly pid: number
  /** Unix seconds. */
  readonly started_at: number
  readonly memory_bytes: number
  /** 0: not known. */
  readonly disk_free_bytes: number
  readonly disk_total_bytes: number
}

/** Facts of this process; `folder` lies on the disk that it writes to. */
export async function readProcessFacts(folder: string): Promise<ProcessFacts> {
  const disk = await readDisk(folder)
  return {
    version: VERSION,
    host: hostname(),
    pid: process.pid,
    started_at: Math.floor(Date.now() / 1000 - process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    ...disk,
  }
}

async function readDisk(folder: string): Promise<Pick<ProcessFacts, 'disk_free_bytes' | 'disk_total_bytes'>> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { disk_free_bytes: bavail * bsize, disk_total_bytes: blocks * bsize }
  } catch {
    // The folder is made on first use; until then the disk is not known.
    return { disk_free_bytes: 0, disk_total_bytes: 0 }
  }
}
