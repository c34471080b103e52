import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { Measured } from '@tollgate/providers/operations/form'
import { parseStream } from 'music-metadata'

type AudioFile = { readonly filename: string; readonly type: string; readonly bytes: Buffer }

/** Bits a second that nobody exceeds: what claims to be shorter than its size at this rate allows is not believed. */
const MAX_BITS = { lossy: 1_000_000, lossless: 20_000_000 } as const
/** What speech is recorded with where nothing can be read of the file. */
const USUAL_BITS = 64_000

/** How long an audio file is: counted from its own frames or headers, else judged by its size. Never throws, for vendors read more formats. */
export async function measureAudio({ filename, type, bytes }: AudioFile): Promise<Measured> {
  const bits = bytes.length * 8
  // Names and types are the client's word; the bytes are asked first.
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
    // Not audio, or of a kind that it does not know: the vendor decides.
    return undefined
  }
}

const PIECE = 64 * 1024

/** Piece by piece, with a turn of the loop between them: counting the frames of a long file takes most of a second. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await turn()
    yield bytes.subarray(at, at + PIECE)
  }
}
