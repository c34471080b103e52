import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { WebSocket, WebSocketServer } from 'ws'
import { changeTree, encodeChanged, textChange, treeChange, type TextChange, type TreeChange } from '../mutations.ts'
import { createAccounts } from './accounts.ts'
import { CASE_HEADER } from './encode-case.ts'
import { count, seedOf, type Outcomes, type Run } from './run-models.ts'
import { SOCKETS, type SocketKind } from './socket-events.ts'

type Message = {
  readonly event: number
  readonly changes: readonly TreeChange[]
  readonly text: readonly TextChange[]
  readonly isBinary: boolean
}

export type RealtimeCase = {
  readonly kind: SocketKind
  /** The session begins with the right first event. */
  readonly isOpened: boolean
  readonly account: number
  readonly client: readonly Message[]
  readonly vendor: readonly Message[]
  readonly end: 'close' | 'terminate' | 'vendor-close' | 'vendor-terminate' | 'odd-code'
  readonly query: string
}

const message: fc.Arbitrary<Message> = fc.record({
  event: fc.nat({ max: 1000 }),
  changes: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(treeChange, { minLength: 1, maxLength: 3 }) },
  ),
  text: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(textChange, { minLength: 1, maxLength: 1 }) }),
  isBinary: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

/** A session: both sides send mutated events, then one of them ends it. */
export const realtimeCase: fc.Arbitrary<RealtimeCase> = fc.noBias(
  fc.record({
    kind: fc.constantFrom<SocketKind[]>('realtime', 'responses', 'live'),
    isOpened: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    account: fc.nat({ max: 1000 }),
    client: fc.array(message, { minLength: 1, maxLength: 8 }),
    vendor: fc.array(message, { maxLength: 8 }),
    end: fc.constantFrom('close', 'terminate', 'vendor-close', 'vendor-terminate', 'odd-code'),
    query: fc.oneof(
      { weight: 9, arbitrary: fc.constant('model=fz-realtime') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '',
          'model=',
          'model=%00',
          'model=fz-anthropic',
          'model=fz-realtime&model=x',
          'model=gpt-4o-realtime-preview&intent=transcription',
        ),
      },
    ),
  }),
)

const encode = (events: readonly object[], { event, changes, text }: Message): Buffer =>
  encodeChanged(changeTree(events[event % events.length] ?? {}, changes), text)

const expected = new Map<string, RealtimeCase>()

/** Serves the sessions of the cases on the vendor's port: each message of the relay is answered by the next scripted events. */
export function serveRealtime(server: Server): void {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false) })
  server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    sockets.handleUpgrade(incoming, connection, head, (socket) => {
      const one = expected.get(String(incoming.headers[CASE_HEADER]))
      const script = [...(one?.vendor ?? [])]
      socket.on('error', () => undefined)
      const { greeting, vendor } = SOCKETS[one?.kind ?? 'realtime']
      socket.send(JSON.stringify(greeting))
      socket.on('message', () => {
        for (const message of script.splice(0, 2)) socket.send(encode(vendor, message), { binary: message.isBinary })
        if (script.length > 0) return
        if (one?.end === 'vendor-close') socket.close(1000)
        if (one?.end === 'odd-code') socket.close(4000, 'odd')
        if (one?.end === 'vendor-terminate') socket.terminate()
      })
    })
  })
}

const SESSION_MS = 12_000

/** Runs sessions until `run.calls` messages were sent; returns their number. */
export async function runRealtime(run: Run, outcomes: Outcomes): Promise<number> {
  const { target, findings, secrets, seed, from, calls, width } = run
  const accounts = await createAccounts(target, () => undefined)
  let number = from
  let sent = 0
  const runOne = async (): Promise<void> => {
    while (sent < calls) {
      const mine = number
      number += 1
      const [one] = fc.sample(realtimeCase, { seed: seedOf(seed, mine), numRuns: 1 })
      if (one === undefined) continue
      sent += one.client.length
      const id = `rt-${seed}-${mine}`
      expected.set(id, one)
      const { key } = await accounts.pick(one.account)
      const { status, received } = await runSession(target.relayUrl, one, { id, key })
      expected.delete(id)
      count(outcomes, one.kind, status)
      const problems = [
        ...(status === 'timeout' ? [`${one.kind}: the session did not end`] : []),
        ...(status.startsWith('5') && status !== '502' && status !== '503' && status !== '504' ? [`${one.kind}: status ${status}`] : []),
        ...received
          .map((text) => secrets.find(text))
          .filter((name) => name !== undefined)
          .map((name) => `${one.kind}: a message contains a secret: ${name}`),
        ...received.filter((text) => text.includes('"internal_error"')).map((text) => `${one.kind}: ${text.slice(0, 200)}`),
      ]
      for (const text of problems) findings.add(text, { part: 'realtime', number: mine, repro: JSON.stringify(one).slice(0, 3000) })
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, 16) }, runOne))
  return sent
}

type Session = { readonly status: string; readonly received: readonly string[] }

function openSocket(address: string, { kind, query }: RealtimeCase, { id, key }: { readonly id: string; readonly key: string }): WebSocket {
  const headers = { [CASE_HEADER]: id }
  if (kind === 'live') return new WebSocket(`${address}?key=sk-${key}`, { headers })
  if (kind === 'responses') return new WebSocket(address, { headers: { ...headers, authorization: `Bearer sk-${key}` } })
  return new WebSocket(`${address}?${query}`, ['realtime', `openai-insecure-api-key.sk-${key}`], { headers })
}

function runSession(url: string, one: RealtimeCase, { id, key }: { readonly id: string; readonly key: string }): Promise<Session> {
  return new Promise((resolve) => {
    const received: string[] = []
    const { path, client, opening } = SOCKETS[one.kind]
    const socket = openSocket(`${url.replace('http', 'ws')}${path}`, one, { id, key })
    const end = (status: string): void => {
      clearTimeout(timer)
      socket.terminate()
      resolve({ status, received })
    }
    const timer = setTimeout(() => end('timeout'), SESSION_MS)
    let at = 0
    const begin = (): void => {
      if (opening !== undefined && one.isOpened) socket.send(JSON.stringify(opening))
      step()
    }
    const step = (): void => {
      const message = one.client[at]
      at += 1
      if (message !== undefined && socket.readyState === socket.OPEN)
        socket.send(encode(client, message), { binary: message.isBinary }, () => setImmediate(step))
      else if (one.end === 'terminate') end('left')
      else setTimeout(() => socket.close(1000), 20)
    }
    socket.on('open', begin)
    socket.on('message', (data: Buffer) => received.push(data.toString()))
    socket.on('unexpected-response', (_, response) => {
      response.resume()
      end(String(response.statusCode))
    })
    socket.on('error', () => undefined)
    socket.on('close', (code) => end(`closed ${code}`))
  })
}
