import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SettleInput } from '../client/types.ts'

/**
 * The file of one process for settlements whose client was told its end although Redis had not answered: what is in it survives
 * SIGKILL of the process. It lies in RELAY_STATE_DIR. A pod whose disk goes with it needs a volume there that its successor sees,
 * else the reaper ends such requests by their last progress (`estimated`).
 *
 * Written synchronously: a completed write(2) is in the kernel and outlives the process; it takes an fsync only to outlive the
 * machine. Nothing is written while Redis answers in time.
 */
export type SettleFile = {
  /** Writes one settlement; when it returns, the next process will find it. */
  append(input: SettleInput): void
  /** The settlement was answered; the file goes when it was the last one. */
  drop(requestId: string): void
  /** Makes the file hold exactly these; none: no file. For the end of the process. */
  keepOnly(inputs: readonly SettleInput[]): void
}

/** Lines of answered settlements that may stand in the file before it is written anew. */
const DEAD_LINES = 1000

export function openSettleFile(dir: string, relay_id: string): SettleFile {
  const path = join(dir, `settle-${relay_id}.jsonl`)
  const waiting = new Map<string, string>()
  let fd: number | undefined
  let dead = 0

  const close = (): void => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }
  /** Complete or not there: it gets its name when it is written. */
  const rewrite = (): void => {
    close()
    dead = 0
    if (waiting.size === 0) return rmSync(path, { force: true })
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const part = openSync(`${path}.part`, 'w', 0o600)
    writeWhole(part, [...waiting.values()].join(''))
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
      waiting.set(input.request_id, line)
      // A process that has just started may have taken the file for a dead one's, before it could read this line.
      if (!isAt(path, fd)) rewrite()
    },
    drop: (requestId) => {
      if (!waiting.delete(requestId)) return
      dead += 1
      if (waiting.size === 0 || dead > DEAD_LINES) rewrite()
    },
    keepOnly: (inputs) => {
      waiting.clear()
      for (const input of inputs) waiting.set(input.request_id, `${JSON.stringify(input)}\n`)
      rewrite()
      close()
    },
  }
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

/** Whether the open file still has its name. */
function isAt(path: string, fd: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false })
  return named !== undefined && named.ino === fstatSync(fd).ino
}
