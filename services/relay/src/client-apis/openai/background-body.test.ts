import { describe, expect, it } from 'vitest'
import { readBackground } from './background-body.ts'

const shared = (text: string): Buffer => {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}

describe('a body that asks for a background response', () => {
  it.each([
    ['at its end', '{"model":"m","input":"x","background":true}'],
    ['at its beginning', '{"background":true,"model":"m","input":"x"}'],
    ['several at its beginning', ' { "background" : true , "stream":true, "model":"m","input":"x"}'],
    ['around others', '{"stream":false,"model":"m","background":true,"input":"x","stream_options":{"a":[1,2]}}'],
    ['one after the other at its end', '{"model":"m","input":"x","background":true,"stream":true}\n'],
  ])('loses its flags: %s', (_where, text) => {
    const rest = Object.entries(JSON.parse(text) as object).filter(([name]) => !['background', 'stream', 'stream_options'].includes(name))
    const wanted: unknown = Object.fromEntries(rest)
    for (const raw of [Buffer.from(text), shared(text)]) expect(JSON.parse(readBackground(raw)?.bytes.toString() ?? '')).toEqual(wanted)
  })

  it('that is long stays in its memory', () => {
    const raw = shared('{"model":"m","background":true}')
    expect(readBackground(raw)?.bytes.buffer).toBe(raw.buffer)
  })
})
