import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SettleInput } from '../client/types.ts'

/**
 * File of one process with settlements whose client got the end of its answer before Redis answered; they survive SIGKILL of the
 * process. The file is in RELAY_STATE_DIR. A pod that loses its disk needs a volume there that its successor mounts, else the reaper
 * ends such requests by their last progress (`estimated`).
 *
 * Written synchronously: a completed write(2) is in the kernel and survives the process; only surviving the machine needs an fsync.
 * Nothing is written while Redis answers in time.
 */
export type SettleFile = {
  /** Writes one settlement; after it returns, the next process finds it. */
  append(input: SettleInput): void
  /** Removes an answered settlement; the file is deleted with its last one. */
  drop(requestId: string): void
  /** Rewrites the file with exactly these settlements; none: deletes it. For the end of the process. */
  keepOnly(inputs: readonly SettleInput[]): void
}

/** Lines of answered settlements after which the file is rewritten. */
const DEAD_LINES = 1000

export function openSettleFile(dir: string, relayId: string): SettleFile {
  const path = join(dir, `settle-${relayId}.jsonl`)
  const unanswered = new Map<string, string>()
  let fd: number | undefined
  let dead = 0

  const close = (): void => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }
  /** Renames the file after writing it, so that a reader sees it complete or not at all. */
  const rewrite = (): void => {
    close()
    dead = 0
    if (unanswered.size === 0) return rmSync(path, { force: true })
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const part = openSync(`${path}.part`, 'w', 0o600)
    writeWhole(part, [...unanswered.values()].join(''))
    renameSync(`${path}.part`, path)
    fd = part
  }
  return {
    append: (input) => {
      const line = `${JSON.stringify(input)}\n`
      if (fd === undefined) {
        mkdirSync(dir, { recursive: true, mode: 0o700 })
        fd = openSync(path, 'a', 0o600)
      }
      writeWhole(fd, line)
      unanswered.set(input.request_id, line)
      // A process that just started may have claimed the file before this line was in it.
      if (!isAt(path, fd)) rewrite()
    },
    drop: (requestId) => {
      if (!unanswered.delete(requestId)) return
      dead += 1
      if (unanswered.size === 0 || dead > DEAD_LINES) rewrite()
    },
    keepOnly: (inputs) => {
      unanswered.clear()
      for (const input of inputs) unanswered.set(input.request_id, `${JSON.stringify(input)}\n`)
      rewrite()
      close()
    },
  }
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

/** True if the path still leads to the open file. */
function isAt(path: string, fd: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false })
  return named !== undefined && named.ino === fstatSync(fd).ino
}
