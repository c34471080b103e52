import { setImmediate as turn } from 'node:timers/promises'

/** Bit rates in kbit/s by index: https://www.iso.org/standard/22412.html (MPEG-1) and 26797 (MPEG-2). */
const RATES = {
  mpeg1: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  mpeg2: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
} as const
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const

type Frame = { readonly length: number; readonly seconds: number }

/** The frame whose header is at this position. */
function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined
  const [second = 0, third = 0] = [bytes[at + 1], bytes[at + 2]]
  const version = (second >> 3) & 3
  const layer = 3 - ((second >> 1) & 3)
  const sampleRate = SAMPLE_RATES[(third >> 2) & 3]
  const kbits = (version === 3 ? RATES.mpeg1 : RATES.mpeg2)[layer]?.[(third >> 4) - 1]
  if ((second & 0xe0) !== 0xe0 || version === 1 || sampleRate === undefined || kbits === undefined) return undefined
  const rate = version === 3 ? sampleRate : version === 2 ? sampleRate / 2 : sampleRate / 4
  const samples = layer === 0 ? 384 : layer === 2 && version !== 3 ? 576 : 1152
  const slot = layer === 0 ? 4 : 1
  const length = (Math.floor((samples / 8 / slot) * ((kbits * 1000) / rate)) + ((third >> 1) & 1)) * slot
  return { length, seconds: samples / rate }
}

/** Size of the ID3v2 tags at the beginning: https://id3.org/id3v2.4.0-structure */
function tagsEnd(bytes: Buffer): number {
  let at = 0
  while (bytes.toString('latin1', at, at + 3) === 'ID3' && at + 10 <= bytes.length) {
    const size = [6, 7, 8, 9].reduce((sum, offset) => sum * 128 + ((bytes[at + offset] ?? 0) & 0x7f), 0)
    at += 10 + size
  }
  return Math.min(at, bytes.length)
}

/** Other containers, whose bytes can look like frames. */
const OTHERS = ['RIFF', 'OggS', 'fLaC', '\u001aE\u00df\u00a3']
const MIN_FRAMES = 3
/** Bytes of an MP3 that may be something else than frames: tags at the end, artwork. */
const MAX_OTHER_SHARE = 0.1
const PIECE = 256 * 1024

/**
 * The duration of an MP3 by its frames, whatever its headers claim; undefined if the bytes are something else. `other` counts the bytes
 * outside of frames, and `isWhole` tells whether they are few.
 */
export async function measureFrames(
  bytes: Buffer,
): Promise<{ readonly seconds: number; readonly other: number; readonly isWhole: boolean } | undefined> {
  if (OTHERS.includes(bytes.toString('latin1', 0, 4)) || bytes.toString('latin1', 4, 8) === 'ftyp') return undefined
  const begin = tagsEnd(bytes)
  let [frames, seconds, other, inSync] = [0, 0, 0, false]
  let pause = begin + PIECE
  for (let at = begin; at < bytes.length;) {
    if (at > pause) {
      pause = at + PIECE
      await turn()
    }
    const frame = frameAt(bytes, at)
    const next = at + (frame?.length ?? 0)
    // A frame counts if it follows one, or is followed by one.
    if (frame !== undefined && (inSync || next >= bytes.length || frameAt(bytes, next) !== undefined)) {
      // The frame that holds an encoder's header is not played.
      if (frames > 0 || !isHeader(bytes, at, next)) seconds += frame.seconds
      frames += 1
      inSync = true
      at = next
      continue
    }
    inSync = false
    const found = bytes.indexOf(0xff, at + 1)
    const until = found === -1 ? bytes.length : found
    other += until - at
    at = until
  }
  if (frames < MIN_FRAMES) return undefined
  return { seconds, other, isWhole: other <= (bytes.length - begin) * MAX_OTHER_SHARE }
}

function isHeader(bytes: Buffer, start: number, end: number): boolean {
  const head = bytes.toString('latin1', start, Math.min(end, start + 64))
  return head.includes('Xing') || head.includes('Info') || head.includes('VBRI')
}
