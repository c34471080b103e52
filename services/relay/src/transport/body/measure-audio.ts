import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { AudioDuration } from '@tollgate/providers/form'
import { parseStream, type IFormat } from 'music-metadata'
import { measureFrames } from './mp3-frames.ts'

type AudioFile = { readonly filename: string; readonly type: string; readonly bytes: Buffer }

/**
 * Bits per second: `usual` measures a file by its size, `most` is the rate above which a header's claim is not trusted, because the file
 * would be longer than it says.
 */
const RATES = {
  lossy: { usual: 64_000, most: 320_000 },
  video: { usual: 1_000_000, most: 8_000_000 },
} as const

/**
 * Duration of an audio file: of an MP3 by its frames, of others by their headers as far as the size confirms them, otherwise by the size
 * at the usual bit rate. Never throws, since vendors read more formats.
 */
export async function measureAudio({ filename, type, bytes }: AudioFile): Promise<AudioDuration> {
  const frames = await measureFrames(bytes)
  if (frames !== undefined) {
    const { seconds, other, isWhole } = frames
    return isWhole ? { seconds, isRead: true } : { seconds: seconds + (other * 8) / RATES.lossy.usual, isRead: false }
  }
  // The bytes come first, because name and type are the client's claim.
  const format = (await read(bytes, {})) ?? (await read(bytes, { mimeType: type, path: filename }))
  const bits = bytes.length * 8
  if (format === undefined) return { seconds: bits / RATES.lossy.usual, isRead: false }
  const { usual, most } = ratesOf(format)
  return bits / format.duration > most ? { seconds: bits / usual, isRead: false } : { seconds: format.duration, isRead: true }
}

type Known = IFormat & { readonly duration: number }

/** A tenth of uncompressed audio may be something else than samples. */
const UNCOMPRESSED_MARGIN = 1.1

function ratesOf({ container, codec, lossless, hasVideo, sampleRate, numberOfChannels, bitsPerSample }: Known): {
  readonly usual: number
  readonly most: number
} {
  if (hasVideo === true) return RATES.video
  const uncompressed = (sampleRate ?? 0) * (numberOfChannels ?? 0) * (bitsPerSample ?? 0)
  if (lossless !== true || uncompressed === 0) return RATES.lossy
  const isPcm = container === 'WAVE' && codec === 'PCM'
  return { usual: isPcm ? uncompressed : uncompressed / 2, most: isPcm ? uncompressed * UNCOMPRESSED_MARGIN : uncompressed }
}

async function read(bytes: Buffer, claim: { readonly mimeType?: string; readonly path?: string }): Promise<Known | undefined> {
  try {
    const { format } = await parseStream(
      Readable.from(piecesOf(bytes), { objectMode: false }),
      { ...claim, size: bytes.length },
      { duration: true, skipCovers: true },
    )
    const { duration } = format
    if (duration === undefined || !Number.isFinite(duration) || duration < 0) return undefined
    return { ...format, duration }
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
