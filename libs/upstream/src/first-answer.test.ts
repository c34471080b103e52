import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { openAiChat } from '@tollgate/providers/chat/formats/openai-chat/index'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'
import type { PreparedCall } from './call.ts'
import { followUpCall } from './first-answer.ts'
import { send } from './send.ts'

/** Replicate answers a prediction, whose text streams at an address of its own. */
let server: Server
let outbound: Outbound
let base = ''
let prediction: object = {}
const received: (Pick<IncomingMessage, 'method' | 'url'> & { readonly headers: IncomingMessage['headers'] })[] = []

beforeAll(async () => {
  server = createServer(({ method, url, headers }, response) => {
    received.push({ method, url, headers })
    if (method === 'GET')
      response.setHeader('content-type', 'text/event-stream').end('event: output\ndata: Hi\n\nevent: done\ndata: {}\n\n')
    else response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(prediction))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with a port.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  outbound = createOutbound({ guard: createAddressGuard({ allow: ['127.0.0.0/8'], own: [] }) })
})
afterAll(async () => {
  await outbound.close()
  await new Promise((resolve) => server.close(resolve))
})

function callOf(is_stream: boolean): PreparedCall {
  const body = { model: 'meta/llama', messages: [{ role: 'user', content: 'Hi' }], stream: is_stream }
  const prepared = prepareSample({ operation: chatOperation(openAiChat), body, type: 56, base_url: base, key: 'r8-key' })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  return prepared.call
}

/** The first words of an answer's head and its text. */
function answerTo(call: PreparedCall): Promise<readonly [status: number, text: string]> {
  received.length = 0
  return new Promise((resolve, reject) => {
    let [status, text] = [0, '']
    const sink = {
      onHead: (given: number) => void (status = given),
      onData: (chunk: Buffer) => void (text += chunk.toString()),
      onEnd: () => resolve([status, text]),
      onError: reject,
    }
    send(outbound, call, sink, { first_byte_ms: 5000, idle_ms: 5000 })
  })
}

it('reads the stream at the address that the first answer states', async () => {
  prediction = { id: 'p', status: 'starting', urls: { stream: `${base}/streams/p` } }
  const answer = await answerTo(callOf(true))

  expect(answer).toEqual([200, 'event: output\ndata: Hi\n\nevent: done\ndata: {}\n\n'])
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/models/meta/llama/predictions', 'GET /streams/p'])
  expect(received[1]?.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer r8-key' })
  expect(received.map(({ headers }) => headers['prefer'])).toEqual([undefined, undefined])
})

it.each([
  ['that is complete', { id: 'p', status: 'succeeded', output: ['Hi'], urls: { stream: 'http://127.0.0.1:1/' } }],
  ['that has no stream', { id: 'p', status: 'processing', urls: {} }],
  ['whose address is unusable', { id: 'p', status: 'processing', urls: { stream: 'http://other.example/streams/p' } }],
])('hands over a first answer %s', async (_, given) => {
  prediction = given

  expect(await answerTo(callOf(false))).toEqual([201, JSON.stringify(given)])
  expect(received.map(({ method, headers }) => [method, headers['prefer']])).toEqual([['POST', 'wait']])
})

it.each([
  ['https://stream.replicate.com/v1/p?x=1', true],
  ['https://replicate.com.evil.example/p', false],
  ['https://streams.replicate.net/p', false],
])('sends the key to %s only within the vendor’s domain', (address, isSent) => {
  const call = followUpCall({ ...callOf(true), origin: 'https://api.replicate.com' }, { kind: 'stream', url: address })

  expect(call?.headers.includes('Bearer r8-key')).toBe(isSent)
  expect(call).toMatchObject({ method: 'GET', body: undefined, origin: new URL(address).origin })
})
