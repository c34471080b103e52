import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMember, readWithoutMember } from './member-bytes.ts'

const NAME = 'bytesBase64Encoded'
/** Pieces of this many bytes. */
const inPieces = (text: string, size: number): Readable => {
  const all = Buffer.from(text)
  return Readable.from(
    Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.subarray(at * size, (at + 1) * size)),
    { objectMode: false, highWaterMark: size },
  )
}
const open = (text: string, size: number) => openMember({ status: 200, headers: {}, body: inPieces(text, size) }, NAME, 'video/mp4')

describe('bytes within JSON', () => {
  it('are those of the first member, and the rest is the JSON without them, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('', ' ', '\n  '),
        fc.integer({ min: 1, max: 40 }),
        async (bytes, space, size) => {
          const base64 = Buffer.from(bytes).toString('base64')
          const text = `{"名": "\\"${NAME}\\": \\"no\\"",${space}"videos":[{"${NAME}"${space}:${space}"${base64}","mimeType":"video/mp4"},{"${NAME}":"AAAA"}]}`
          const opened = await open(text, size)
          expect(opened === undefined ? Buffer.of() : await buffer(opened.body)).toEqual(Buffer.from(bytes))
          expect(JSON.parse(await readWithoutMember(inPieces(text, size), NAME, 10_000))).toEqual({
            名: `"${NAME}": "no"`,
            videos: [{ [NAME]: '', mimeType: 'video/mp4' }, { [NAME]: '' }],
          })
        },
      ),
    )
  })

  it('may have escaped characters', async () => {
    const bytes = Buffer.from([255, 255, 254, 3])
    const escaped = bytes
      .toString('base64')
      .replaceAll('/', String.raw`\/`)
      .replaceAll('=', String.raw`\u003d`)
    for (const size of [1, 2, 3, 5, 100]) {
      const opened = await open(`{"${NAME}":"${escaped}"}`, size)
      expect(opened === undefined ? undefined : await buffer(opened.body)).toEqual(bytes)
    }
  })

  it('are missing in an answer without the member, which is closed', async () => {
    const body = inPieces('{"done":true}', 4)

    expect(await openMember({ status: 200, headers: {}, body }, NAME, 'video/mp4')).toBeUndefined()
    expect(body.destroyed).toBe(true)
  })

  it('may be longer than the rest may be', async () => {
    const text = `{"${NAME}":"${'A'.repeat(10_000)}","done":true}`

    expect(await readWithoutMember(inPieces(text, 1000), NAME, 200)).toBe(`{"${NAME}":"","done":true}`)
    await expect(readWithoutMember(inPieces(`{"other":"${'A'.repeat(10_000)}"}`, 1000), NAME, 200)).rejects.toMatchObject({
      failure: 'too-large',
    })
  })

  it('end with their reader', async () => {
    const body = inPieces(`{"${NAME}":"${'A'.repeat(1_000_000)}"}`, 1000)
    const opened = await openMember({ status: 200, headers: {}, body }, NAME, 'video/mp4')
    opened?.body.destroy()

    await new Promise((resolve) => body.once('close', resolve))
    expect(body.destroyed).toBe(true)
  })
})
