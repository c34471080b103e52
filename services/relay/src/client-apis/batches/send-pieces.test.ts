import { FILE_PIECE } from '@tollgate/contracts/deferred/deferred'
import { describe, expect, it } from 'vitest'
import { sendPieces } from './send-pieces.ts'

describe('a large body', () => {
  it('is sent in pieces, with a pause as long as each piece took and at most 100 ms', async () => {
    const bytes = Buffer.alloc(2 * FILE_PIECE + 5, 'ab')
    const [sent, pauses]: [Buffer[], number[]] = [[], []]
    let clock = 0
    const times = [7, 5000, 3]
    await sendPieces(
      bytes,
      async ({ n, content }) => {
        clock += times[n] ?? 0
        sent[n] = Buffer.from(content, 'base64')
      },
      { now: () => clock, pause: async (ms) => void pauses.push(ms) },
    )

    expect(sent.map(({ length }) => length)).toEqual([FILE_PIECE, FILE_PIECE, 5])
    expect(Buffer.concat(sent).equals(bytes)).toBe(true)
    expect(pauses).toEqual([7, 100])
  })
})
