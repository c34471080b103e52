import { describe, expect, it } from 'vitest'
import { aWav } from '../../../test/audio.ts'
import { measureAudio } from './measure-audio.ts'

const file = (bytes: Buffer, over: Partial<Parameters<typeof measureAudio>[0]> = {}) => ({
  filename: 'speech.wav',
  type: 'audio/wav',
  bytes,
  ...over,
})

describe('measureAudio', () => {
  it('reads the duration from the audio itself', async () => {
    expect(await measureAudio(file(aWav(61)))).toEqual({ seconds: 61, isRead: true })
  })

  it('prefers the bytes to the name and type', async () => {
    expect(await measureAudio(file(aWav(3), { filename: 'speech.mp3', type: 'audio/mpeg' }))).toEqual({ seconds: 3, isRead: true })
  })

  it('estimates by the size when nothing can be read', async () => {
    expect(await measureAudio(file(Buffer.from('no sound').subarray(0, 8)))).toEqual({ seconds: 0.001, isRead: false })
  })

  it('rejects a duration that is shorter than the size allows', async () => {
    const liar = Buffer.concat([aWav(1), Buffer.alloc(10_000_000)])

    const measured = await measureAudio(file(liar))

    expect(measured.isRead).toBe(false)
    expect(measured.seconds).toBeGreaterThan(3)
  })

  it('measures an MP3 by its frames, whatever its header claims', async () => {
    const frame = mp3Frame(32)
    const liar = Buffer.from(frame)
    liar.write('Xing', 36)
    liar.writeUInt32BE(1, 40)
    liar.writeUInt32BE(10, 44)
    const tag = Buffer.concat([Buffer.from('ID3\u0004\0\0\0\0\0\u0064'), Buffer.alloc(100)])
    const speech = Buffer.concat([tag, liar, ...Array.from({ length: 20_000 }, () => frame)])

    const measured = await measureAudio(file(speech, { filename: 'speech.mp3' }))

    expect(measured).toEqual({ seconds: expect.closeTo((20_000 * 1152) / 44_100, 1), isRead: true })
  })

  it('adds what is hidden between the frames of an MP3 at the usual bit rate', async () => {
    const frames = Array.from({ length: 100 }, () => mp3Frame(128))
    const hidden = Buffer.concat([...frames, Buffer.alloc(800_000, 1), ...frames])

    const measured = await measureAudio(file(hidden, { filename: 'speech.mp3' }))

    expect(measured.isRead).toBe(false)
    expect(measured.seconds).toBeGreaterThan(100)
  })

  it.each([
    ['a WAV whose data is longer than its header says', 400_000, 125],
    ['an Ogg file that claims a second', 400_000, 50],
  ])('measures by the size: %s', async (what, size, seconds) => {
    const wav = aWav(1)
    const bytes = what.includes('WAV') ? Buffer.concat([wav, Buffer.alloc(size)]) : Buffer.concat([anOgg(1), Buffer.alloc(size)])

    const measured = await measureAudio(file(bytes, { filename: 'speech' }))

    expect(measured.isRead).toBe(false)
    expect(measured.seconds).toBeGreaterThanOrEqual(seconds)
  })

  it('counts the frames of a long file without blocking the event loop', async () => {
    const frames = [Buffer.alloc(417), Buffer.alloc(626)]
    frames[0]?.writeUInt32BE(0xfffb9000)
    frames[1]?.writeUInt32BE(0xfffbb000)
    const long = Buffer.concat(Array.from({ length: 10_000 }, (_, at) => frames[at % 2] ?? Buffer.alloc(0)))
    let turns = 0
    const count = () => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)

    const measured = await measureAudio(file(long, { filename: 'long.mp3', type: 'audio/mpeg' }))
    clearImmediate(counting)

    expect(measured.isRead).toBe(true)
    expect(measured.seconds).toBeGreaterThan(255)
    expect(measured.seconds).toBeLessThan(270)
    expect(turns).toBeGreaterThan(10)
  })
})

/** A frame of MPEG-1 layer III at 44.1 kHz, mono, silent. */
function mp3Frame(kbits: 32 | 128): Buffer {
  const frame = Buffer.alloc(Math.floor((144 * kbits * 1000) / 44_100))
  frame.writeUInt32BE(kbits === 32 ? 0xff_fb_10_c0 : 0xff_fb_90_c0)
  return frame
}

/** Two pages of Ogg Vorbis: the identification header, and an end that claims this many seconds. */
function anOgg(seconds: number): Buffer {
  const id = Buffer.alloc(30)
  id.write('\u0001vorbis', 0, 'latin1')
  id.writeUInt8(1, 11)
  id.writeUInt32LE(16_000, 12)
  id.writeUInt8(0xb8, 28)
  id.writeUInt8(1, 29)
  return Buffer.concat([oggPage(2, 0, id), oggPage(4, seconds * 16_000, Buffer.alloc(10))])
}

function oggPage(flags: number, granule: number, content: Buffer): Buffer {
  const head = Buffer.alloc(28)
  head.write('OggS')
  head.writeUInt8(flags, 5)
  head.writeBigUInt64LE(BigInt(granule), 6)
  head.writeUInt32LE(flags === 2 ? 0 : 1, 18)
  head.writeUInt8(1, 26)
  head.writeUInt8(content.length, 27)
  return Buffer.concat([head, content])
}
