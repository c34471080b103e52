import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutboundError } from '@tollgate/outbound/errors'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { textAt } from '@tollgate/providers/json'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PreparedCall } from './call.ts'
import { send } from './send.ts'

/** A vendor whose answer is the state of a task, until the task has ended. */
let server: Server
let outbound: Outbound
let origin = ''
/** The states of the task, in order. */
let states: string[] = []
let received: string[] = []

beforeAll(async () => {
  server = createServer(({ method, url, headers }, response) => {
    received.push(`${method} ${url} ${headers.authorization}`)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ state: states.shift() ?? 'done' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  origin = `http://127.0.0.1:${port}`
  outbound = createOutbound({ guard: createAddressGuard({ allow: ['127.0.0.0/8'], own: [] }) })
})
afterAll(async () => {
  await outbound.close()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  received = []
})

type Answer = { readonly text: string; readonly error?: OutboundError }

function begin(wait_ms: number, first_byte_ms = 5000) {
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  const call: PreparedCall = {
    method: 'POST',
    origin,
    path: '/base/v1/images/new',
    headers: ['authorization', 'Bearer key', 'content-type', 'application/json'],
    body: Buffer.from('{}'),
    proxy: undefined,
    poolKey: 'p',
    upstream_model: 'm',
    followUp: (answer) => {
      isAsked()
      return textAt(answer, 'state') === 'running' ? { kind: 'poll', url: '../tasks/7', wait_ms } : undefined
    },
  }
  const { promise: answer, resolve } = Promise.withResolvers<Answer>()
  let text = ''
  const sink = {
    onHead: () => undefined,
    onData: (chunk: Buffer) => void (text += chunk.toString()),
    onEnd: () => resolve({ text }),
    onError: (error: OutboundError) => resolve({ text, error }),
  }
  return { sending: send(outbound, call, sink, { first_byte_ms, idle_ms: 5000 }), answer, asked }
}

it('reads the state below the address of the call, again and again, and hands over the last one', async () => {
  states = ['running', 'running', 'running', 'running', 'running', 'done']

  expect(await begin(1).answer).toEqual({ text: '{"state":"done"}' })
  const poll = 'GET /base/v1/tasks/7 Bearer key'
  expect(received).toEqual(['POST /base/v1/images/new Bearer key', poll, poll, poll, poll, poll])
})

it('hands over an answer that has ended already', async () => {
  states = ['done']

  expect(await begin(1).answer).toEqual({ text: '{"state":"done"}' })
  expect(received).toHaveLength(1)
})

it('can be aborted while it waits', async () => {
  states = ['running']
  const { sending, answer, asked } = begin(3_600_000)
  await asked
  sending.abort()

  expect(await answer).toMatchObject({ text: '', error: { failure: 'aborted' } })
  expect(received).toHaveLength(1)
})

it('ends with the timeout of the first byte, however long the vendor works', async () => {
  states = ['running']

  expect(await begin(3_600_000, 300).answer).toMatchObject({ text: '', error: { failure: 'timeout' } })
})
