import { describe, expect, it } from 'vitest'
import { decodeMark, encodeMark, fromFile, fromInlined, readBatchBody } from './gemini-batch-input.ts'

const TARGET = { model: 'm', endpoint: '/v1beta/models/m:generateContent' } as const
const lines = (bytes: Buffer) =>
  bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
const bodyOf = (requests: unknown) => Buffer.from(` ${JSON.stringify({ batch: { inputConfig: { requests: { requests } } } })}`)
const inlined = (requests: unknown) => {
  const raw = bodyOf(requests)
  return fromInlined(raw, readBatchBody(raw).requests, TARGET)
}
const request = { contents: [{ parts: [{ text: 'a "quoted", [nested] {text}' }] }] }
const line = (custom_id: string) => ({ custom_id, method: 'POST', url: TARGET.endpoint, body: request })

describe('the input of a batch of Google’s', () => {
  it('is a line for each request, without its model and with its mark', async () => {
    const found = await inlined([{ request: { ...request, model: 'models/m' }, metadata: { key: 'é\n"' } }, { request }])

    expect(lines(found)).toEqual([line('0 {"key":"é\\n\\""}'), line('1')])
  })

  it('is found among other fields, in both spellings', () => {
    const texts = [
      '{"batch":{"displayName":"a ] } \\" b","inputConfig":{"requests":{"requests":[{"a":[1]},{}],"x":[]},"fileName":"files/1"},"webhookConfig":{}},"y":1}',
      '{"x":{"batch":{}},"batch":{"input_config":{"file_name":"files/1","requests":{"requests":[{"a":[1]},{}]}},"display_name":"a ] } \\" b","webhook_config":{}}}',
    ]
    for (const text of texts) {
      const { requests, ...rest } = readBatchBody(Buffer.from(text))
      expect(rest).toEqual({ display_name: 'a ] } " b', file_name: 'files/1', has_webhook: true })
      expect(requests.map(({ start, end }) => text.slice(start, end))).toEqual(['{"a":[1]}', '{}'])
    }
  })

  it.each(['', '[]', '7', '{"batch":7}', '{"batch":{"inputConfig":{"requests":{"requests":7}}}}', '{"batch":{"inputConfig":'])(
    'is empty in a body without requests: %s',
    (text) => {
      expect(readBatchBody(Buffer.from(text))).toEqual({ display_name: '', file_name: undefined, has_webhook: false, requests: [] })
    },
  )

  it('of a file skips blank lines and takes a last line without its end', async () => {
    const file = `${JSON.stringify({ key: 'a', request })}\n\r\n\n${JSON.stringify({ key: 7, request })}`

    expect(lines(await fromFile(Buffer.from(file), TARGET))).toEqual([line('0 "a"'), line('1 7')])
  })

  it.each<[string, unknown, RegExp]>([
    ['no list', 7, /at least one/],
    ['an empty list', [], /at least one/],
    ['a text in place of a request', ['x'], /requests\.0: each request/],
    ['no request', [{}], /request is required/],
    ['the model of another batch', [{ request: { model: 'models/other' } }], /that of the batch, m/],
    ['a long mark', [{ request, metadata: 'x'.repeat(400) }], /400 characters/],
    ['a long request', [{ request: { text: 'x'.repeat(2 * 1024 * 1024) } }], /at most \d+ bytes/],
  ])('is refused with its place: %s', async (_what, requests, words) => {
    await expect(inlined(requests)).rejects.toThrow(words)
  })

  it('lets other work run while a large one is read', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)

    await inlined(Array.from({ length: 5000 }, () => ({ request })))
    clearInterval(counting)

    expect(turns).toBeGreaterThan(5)
  })

  it('keeps the place and mark of a request in its id', () => {
    for (const mark of [undefined, 'a b', { key: 1 }, null]) expect(decodeMark(encodeMark(12, mark))).toEqual({ n: 12, mark })
  })
})
