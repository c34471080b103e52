import { describe, expect, it } from 'vitest'
import type { ChatFormat } from '../chat/request.ts'
import { CHAT_FORMATS } from './cases.ts'
import { createTranslator, readFixture, requestFile, streamThrough, type Streamed } from './cell.testing.ts'
import { streamFixtures } from './stream-fixtures.testing.ts'

declare module 'vitest' {
  interface TaskMeta {
    cut?: { vendor: ChatFormat }
  }
}

/** Every stream of every vendor format, through the translations and through the usage reader of its own format, cut at every byte. */
describe.each(CHAT_FORMATS)('a stream of %s', (vendor) => {
  it.for(streamFixtures(vendor))('in %s says the same however it is cut', { timeout: 60_000 }, ([, bytes], { task }) => {
    task.meta.cut = { vendor }

    const clients = CHAT_FORMATS.map((client) => {
      const cell = { client, vendor }
      const translator = createTranslator(cell, readFixture(requestFile(client, 'parallel-tools')), true)
      const send = (pieces: readonly Buffer[]) => result(streamThrough(cell, translator, pieces))
      return { client, send, whole: send([bytes]) }
    })

    for (const { client, send, whole } of clients) {
      expect(send(Array.from(bytes, (__, at) => bytes.subarray(at, at + 1))), `to ${client}, byte by byte`).toEqual(whole)
    }
    // Each cut goes through one translation, and the clients take turns: a cut affects only the decoder, which is the same for all.
    for (let at = 1; at < bytes.length; at += 1) {
      for (const { client, send, whole } of clients.slice(at % CHAT_FORMATS.length, (at % CHAT_FORMATS.length) + 1)) {
        const cut = send([bytes.subarray(0, at), bytes.subarray(at)])
        // Compared as strings: a matcher for each of so many cuts takes longer than all of them.
        if (cut.bytes !== whole.bytes || cut.facts !== whole.facts) expect(cut, `to ${client}, cut at ${at}`).toEqual(whole)
      }
    }
  })
})

function result({ passed, closing, error, ending, usage, warnings }: Streamed): { readonly bytes: string; readonly facts: string } {
  return { bytes: Buffer.concat([passed, closing]).toString() + (error ?? ''), facts: JSON.stringify({ ending, usage, warnings }) }
}
