import { expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { expandFiles, keptFileIds, mayNameFiles } from './kept-files.ts'

const ID = `file-${'0a'.repeat(16)}`
const picture = { filename: 'a.png', mime_type: 'image/png', content: Buffer.from('bytes') }
const raw = (body: object) => Buffer.from(JSON.stringify(body))

it('finds the gateway’s ids, and not those of vendors or parts of longer texts', () => {
  expect(mayNameFiles(raw({ file_id: ID }))).toBe(true)
  for (const other of ['file-AbCdEfGhIjKlMnOpQrStUv', `${ID}0`, `see ${ID}`, 'file-'])
    expect(mayNameFiles(raw({ file_id: other }))).toBe(false)
  expect(mayNameFiles(Buffer.from('"file-'))).toBe(false)
})

it('searches a body that is made of beginnings in little time', () => {
  const started = performance.now()
  expect(mayNameFiles(Buffer.from('"file-'.repeat(2_000_000)))).toBe(false)
  expect(performance.now() - started).toBeLessThan(500)
})

const filled = (body: JsonObject, { content, ...file }: typeof picture) => {
  const { uses, left, fill } = expandFiles(body, new Map([[ID, file]]), 'a-mark')
  const bytes = Buffer.concat(fill(new Map([[ID, content]])))
  return { uses, left, body: JSON.parse(bytes.toString()) as unknown }
}

it('takes pictures of chats as pictures, and leaves what is only for a tool of the vendor', () => {
  const upload = { type: 'container_upload', file_id: ID }
  const body = { messages: [{ content: [{ type: 'file', file: { file_id: ID } }, upload] }] }
  expect(keptFileIds(body)).toEqual([ID])

  const url = `data:image/png;base64,${picture.content.toString('base64')}`
  expect(filled(body, picture)).toEqual({
    uses: [ID],
    left: [ID],
    body: { messages: [{ content: [{ type: 'image_url', image_url: { url } }, upload] }] },
  })
})

it('puts in the same file as often as it is named, as text with its quotes, lines and letters where the format takes text', () => {
  const data = 'a "page"\n\u0000 of Größe, 大 and \\'
  const document = { type: 'document', source: { type: 'file', file_id: ID } }
  const note = { type: 'text', text: data }
  const body = { messages: [{ content: [document, note, document] }] }

  const inlined = { type: 'document', source: { type: 'text', media_type: 'text/plain', data } }
  expect(filled(body, { filename: 'a.txt', mime_type: 'text/plain', content: Buffer.from(data) })).toEqual({
    uses: [ID, ID],
    left: [],
    body: { messages: [{ content: [inlined, note, inlined] }] },
  })
})
