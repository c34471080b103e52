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

  it('counts the frames of a long file without blocking the event loop', async () => {
    const frames = [Buffer.alloc(417), Buffer.alloc(626)]
    frames[0]?.writeUInt32BE(0xfffb9000)
    frames[1]?.writeUInt32BE(0xfffbb000)
    const long = Buffer.concat(Array.from({ length: 10_000 }, (_, at) => frames[at % 2] ?? Buffer.alloc(0)))
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)

    const measured = await measureAudio(file(long, { filename: 'long.mp3', type: 'audio/mpeg' }))
    clearInterval(timer)

    expect(measured.isRead).toBe(true)
    expect(measured.seconds).toBeGreaterThan(255)
    expect(measured.seconds).toBeLessThan(270)
    expect(turns).toBeGreaterThan(3)
  })
})
