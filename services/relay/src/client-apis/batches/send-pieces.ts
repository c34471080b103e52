import { setTimeout as wait } from 'node:timers/promises'
import { FILE_PIECE } from '@tollgate/contracts/deferred/deferred'

type Clock = { readonly now: () => number; readonly pause: (ms: number) => Promise<unknown> }

/** A piece that waited for something else than its own work does not hold up the next one for long. */
const MAX_PAUSE_MS = 100
const CLOCK: Clock = { now: () => performance.now(), pause: wait }

/**
 * Sends a large body piece by piece, each as base64. After a piece it pauses for as long as the piece took, so that a body takes at most half
 * of the event loops and connections that it passes.
 */
export async function sendPieces(
  bytes: Buffer,
  send: (piece: { readonly n: number; readonly content: string }) => Promise<unknown>,
  { now, pause }: Clock = CLOCK,
): Promise<void> {
  for (let n = 0; n * FILE_PIECE < bytes.length; n += 1) {
    const started = now()
    await send({ n, content: bytes.subarray(n * FILE_PIECE, (n + 1) * FILE_PIECE).toString('base64') })
    if ((n + 1) * FILE_PIECE < bytes.length) await pause(Math.min(MAX_PAUSE_MS, now() - started))
  }
}
