import type { Transform } from 'node:stream'
import {
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
  type ZlibOptions,
} from 'node:zlib'
import { OutboundError } from './errors.ts'

/** A decoder of one HTTP content coding; `bytesWritten` counts the compressed bytes that it has read. */
export type ContentDecoder = Transform & { readonly bytesWritten: number }

const OUTPUT = { chunkSize: 64 * 1024 } as const
/** Decoders need not support a window over 8 MB, and a larger one would be allocated: https://www.rfc-editor.org/rfc/rfc9659 */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } } as const

type Coding = {
  create(first: number): ContentDecoder
  decode(bytes: Buffer, options: Pick<ZlibOptions, 'maxOutputLength'>, done: (error: Error | null, decoded: Buffer) => void): void
}

const GZIP: Coding = { create: () => createGunzip(OUTPUT), decode: (bytes, options, done) => gunzip(bytes, options, done) }
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['br', { create: () => createBrotliDecompress(OUTPUT), decode: (bytes, options, done) => brotliDecompress(bytes, options, done) }],
  [
    'zstd',
    {
      create: () => createZstdDecompress({ ...OUTPUT, ...ZSTD }),
      decode: (bytes, options, done) => zstdDecompress(bytes, { ...options, ...ZSTD }, done),
    },
  ],
  [
    'deflate',
    {
      create: (first) => (isZlib(first) ? createInflate(OUTPUT) : createInflateRaw(OUTPUT)),
      decode: (bytes, options, done) => (isZlib(bytes[0] ?? 0) ? inflate : inflateRaw)(bytes, options, done),
    },
  ],
])

/** Some senders omit the zlib header: https://www.rfc-editor.org/rfc/rfc9110#name-deflate-coding */
function isZlib(first: number): boolean {
  return (first & 0x0f) === 8
}

/** The coding of a body; empty if it is not compressed. */
export function contentCodingOf(header: string | readonly string[] | undefined): string {
  if (header === undefined) return ''
  const codings = String(header)
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
  return codings.filter((coding) => coding !== '' && coding !== 'identity').join(', ')
}

/** Undefined: the coding is unknown. `first` is the body's first byte. */
export function createContentDecoder(coding: string, first: number): ContentDecoder | undefined {
  return CODINGS.get(coding)?.create(first)
}

const FREE_BYTES = 1024 * 1024
/** Text with many repetitions reaches 30; a body that exceeds this is a decompression bomb. */
export const MAX_EXPANSION = 200

/** True if the output of a decoder is too large for its input. Small bodies may expand without limit. */
export function isOverExpanded({ bytesWritten }: Pick<ContentDecoder, 'bytesWritten'>, produced: number): boolean {
  return produced > FREE_BYTES && produced > bytesWritten * MAX_EXPANSION
}

type DecodeLimits = {
  readonly maxBytes: number
  /** Called with the size of each piece; an error that it returns ends the decoding. */
  readonly take?: ((bytes: number) => OutboundError | undefined) | undefined
}

/** Decodes a complete body; throws OutboundError. */
export function decodeWhole(bytes: Buffer, coding: string, { maxBytes, take }: DecodeLimits): Promise<Buffer> {
  const known = CODINGS.get(coding)
  if (known === undefined) return Promise.reject(unknownCoding())
  if (take !== undefined) return decodeCounted(bytes, known, { maxBytes, take })
  return new Promise((resolve, reject) => {
    known.decode(bytes, { maxOutputLength: maxBytes }, (error, decoded) => {
      if (error === null) resolve(decoded)
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(maxBytes))
      else reject(brokenCoding(error))
    })
  })
}

async function decodeCounted(bytes: Buffer, coding: Coding, { maxBytes, take }: Required<DecodeLimits>): Promise<Buffer> {
  const decoder = coding.create(bytes[0] ?? 0)
  const pieces: Buffer[] = []
  let size = 0
  decoder.end(bytes)
  try {
    // Without an encoding, a decoder emits buffers.
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      size += piece.length
      const refusal = size > maxBytes ? tooLarge(maxBytes) : take?.(piece.length)
      if (refusal !== undefined) throw refusal
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof OutboundError ? error : brokenCoding(error)
  }
  return Buffer.concat(pieces)
}

const tooLarge = (maxBytes: number) => new OutboundError('too-large', `the answer is over ${maxBytes} bytes`)

export function unknownCoding(): OutboundError {
  return new OutboundError('malformed', 'the answer has an unknown content encoding')
}

export function brokenCoding(cause: unknown): OutboundError {
  return new OutboundError('malformed', 'the compressed answer cannot be decoded', { cause })
}
