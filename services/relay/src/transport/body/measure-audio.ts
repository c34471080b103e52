import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { AudioDuration } from '@tollgate/providers/operations/form'
import { parseStream } from 'music-metadata'

type AudioFile = { readonly filename: string; readonly type: string; readonly bytes: Buffer }

/** Maximum bits per second. A file that claims to be shorter than its size at this rate is measured by its size. */
const MAX_BITS = { lossy: 1_000_000, lossless: 20_000_000 } as const
/** The assumed bit rate of a file that cannot be read. */
const USUAL_BITS = 64_000

/** Duration of an audio file from its frames or headers, otherwise estimated by its size. Never throws, since vendors read more formats. */
export async function measureAudio({ filename, type, bytes }: AudioFile): Promise<AudioDuration> {
  const bits = bytes.length * 8
  // The bytes come first, because name and type are the client's claim.
  const found = (await read(bytes, {})) ?? (await read(bytes, { mimeType: type, path: filename }))
  if (found === undefined) return { seconds: bits / USUAL_BITS, isRead: false }
  const least = bits / (found.isLossless ? MAX_BITS.lossless : MAX_BITS.lossy)
  return found.seconds < least ? { seconds: least, isRead: false } : { seconds: found.seconds, isRead: true }
}

async function read(
  bytes: Buffer,
  claim: { readonly mimeType?: string; readonly path?: string },
): Promise<{ seconds: number; isLossless: boolean } | undefined> {
  try {
    const { format } = await parseStream(
      Readable.from(piecesOf(bytes), { objectMode: false }),
      { ...claim, size: bytes.length },
      { duration: true, skipCovers: true },
    )
    const { duration, lossless } = format
    if (duration === undefined || !Number.isFinite(duration) || duration < 0) return undefined
    return { seconds: duration, isLossless: lossless === true }
  } catch {
    // Not audio, or an unknown format: the vendor decides.
    return undefined
  }
}

const PIECE = 64 * 1024

/** Yields to the event loop between pieces, because counting the frames of a long file takes most of a second. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await turn()
    yield bytes.subarray(at, at + PIECE)
  }
}
