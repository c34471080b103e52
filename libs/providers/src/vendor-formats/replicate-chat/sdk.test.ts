import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Replicate from 'replicate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { meaningOf } from '../../conformance/meaning.ts'
import { replicateChat } from './index.ts'

/** Replicate's own client and our codec read the same answers of a scripted vendor. */
const STREAM = 'event: output\nid: 1:0\ndata: Hello \n\nevent: output\nid: 2:0\ndata: 世界\n\nevent: done\nid: 3:0\ndata: {}\n\n'
const WHOLE = { id: 'p1', status: 'succeeded', output: ['Hello ', '世界'], metrics: { input_token_count: 7, output_token_count: 3 } }
const REFUSED = { title: 'Unauthenticated', detail: 'You did not pass a valid authentication token', status: 401 }

let server: Server
let base = ''
const received: (readonly [path: string | undefined, prefer: string | string[] | undefined])[] = []

beforeAll(async () => {
  server = createServer(({ method, url, headers }, response) => {
    if (method === 'GET') return void response.setHeader('content-type', 'text/event-stream').end(STREAM)
    received.push([url, headers['prefer']])
    const isKnown = headers.authorization === 'Bearer r8-key'
    const running = { id: 'p1', status: 'starting', urls: { stream: `${base}/streams/p1` } }
    const answer = isKnown ? (headers['prefer'] === 'wait' ? WHOLE : running) : REFUSED
    response.writeHead(isKnown ? 201 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with a port.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const sdk = (auth: string) => new Replicate({ auth, baseUrl: `${base}/v1` })
const input = { prompt: 'Hi' }

it('a whole answer', async () => {
  const output = await sdk('r8-key').run('meta/llama', { input })

  expect(output).toEqual(WHOLE.output)
  expect(meaningOf(replicateChat.vendor.decodeAnswer(WHOLE))).toMatchObject({ text: WHOLE.output.join(''), usage: [7, 3, 0, 0] })
  expect(received.at(-1)).toEqual(['/v1/models/meta/llama/predictions', 'wait'])
})

it('a stream', async () => {
  const texts: string[] = []
  for await (const { event, data } of sdk('r8-key').stream('meta/llama', { input })) if (event === 'output') texts.push(data)
  const read = replicateChat.vendor.createDecoder().push(Buffer.from(STREAM))

  expect(texts.join('')).toBe('Hello 世界')
  expect(meaningOf(read)).toMatchObject({ text: texts.join(''), finish: 'stop' })
  expect(received.at(-1)).toEqual(['/v1/models/meta/llama/predictions', undefined])
})

it('a refusal', async () => {
  await expect(sdk('wrong').run('meta/llama', { input })).rejects.toThrow(REFUSED.detail)
  expect(replicateChat.vendor.decodeError(401, REFUSED)).toMatchObject({ status: 401, message: REFUSED.detail })
})
