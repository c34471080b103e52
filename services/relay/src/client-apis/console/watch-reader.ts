import type { Writable } from 'node:stream'
import type { Pace } from '../../transport/body/pace.ts'

export type Reader = {
  /** Writes one piece; false: the reader is slow, and `onDrain` is called when the next one may come. */
  write(piece: Buffer, onDrain: () => void): boolean
}

/** A reader may pause longer than a sender: a minute by default. */
const PATIENCE = 4

/**
 * Calls `onSlow` when an answer is taken more slowly than a body may arrive, which holds its connection. Only the time counts in which
 * pieces wait for the reader; an answer that is silent by itself may last.
 */
export function watchReader(outgoing: Writable, { grace_ms, bytes_per_second }: Pace, onSlow: () => void): Reader {
  const grace = grace_ms * PATIENCE
  /** Since the last look: how long pieces waited, and what was written. */
  let waited = 0
  let written = 0
  let since: number | undefined
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    if (written < (bytes_per_second * grace) / 1000) return onSlow()
    waited = 0
    written = 0
    since = performance.now()
    timer = setTimeout(look, grace)
  }
  outgoing.once('close', () => clearTimeout(timer))
  return {
    write: (piece, onDrain) => {
      written += piece.length
      if (outgoing.write(piece)) return true
      if (since !== undefined) return false
      since = performance.now()
      timer = setTimeout(look, Math.max(0, grace - waited))
      outgoing.once('drain', () => {
        clearTimeout(timer)
        waited += performance.now() - (since ?? 0)
        since = undefined
        onDrain()
      })
      return false
    },
  }
}
