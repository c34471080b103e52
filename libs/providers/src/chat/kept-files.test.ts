import { expect, it } from 'vitest'
import { keptFileIds, mayNameFiles, withKeptFiles } from './kept-files.ts'

const ID = `file-${'0a'.repeat(16)}`
const file = { filename: 'a.png', mime_type: 'image/png', bytes: Buffer.from('bytes') }
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

it('takes pictures of chats as pictures, and leaves what is only for a tool of the vendor', () => {
  const upload = { type: 'container_upload', file_id: ID }
  const body = { messages: [{ content: [{ type: 'file', file: { file_id: ID } }, upload] }] }
  expect(keptFileIds(body)).toEqual([ID])

  const url = `data:image/png;base64,${file.bytes.toString('base64')}`
  expect(withKeptFiles(body, new Map([[ID, file]]))).toEqual({
    messages: [{ content: [{ type: 'image_url', image_url: { url } }, upload] }],
  })
})
