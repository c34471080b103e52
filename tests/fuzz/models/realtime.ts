import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { WebSocket, WebSocketServer } from 'ws'
import { changeTree, encodeChanged, textChange, treeChange, type TextChange, type TreeChange } from '../mutations.ts'
import { createAccounts } from './accounts.ts'
import { CASE_HEADER } from './encode-case.ts'
import { count, seedOf, type Outcomes, type Run } from './run-models.ts'

const AUDIO = Buffer.alloc(480).toString('base64')
const USAGE = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    cached_tokens: 68,
    cached_tokens_details: { text_tokens: 64, audio_tokens: 4 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}

const CLIENT_EVENTS: readonly object[] = [
  { type: 'session.update', session: { instructions: 'Be brief', model: 'gpt-4o', modalities: ['text', 'audio'] } },
  { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] } },
  { type: 'input_audio_buffer.append', audio: AUDIO },
  { type: 'input_audio_buffer.commit' },
  { type: 'response.create', response: { instructions: 'Say hello' } },
  { type: 'response.cancel', response_id: 'resp_1' },
]

const VENDOR_EVENTS: readonly object[] = [
  { type: 'session.updated', session: { model: 'vendor', output_audio_format: 'pcm16' } },
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } },
  { type: 'response.output_audio.delta', response_id: 'resp_1', delta: AUDIO },
  { type: 'response.output_audio_transcript.delta', response_id: 'resp_1', delta: 'Hello there' },
  { type: 'response.done', response: { id: 'resp_1', status: 'completed', usage: USAGE } },
  {
    type: 'conversation.item.input_audio_transcription.completed',
    item_id: 'i',
    transcript: 'Hello',
    usage: { type: 'tokens', input_tokens: 20, output_tokens: 5, total_tokens: 25 },
  },
  { type: 'error', error: { type: 'server_error', code: 'x', message: 'scripted', param: null, event_id: null } },
]

type Message = {
  readonly event: number
  readonly changes: readonly TreeChange[]
  readonly text: readonly TextChange[]
  readonly isBinary: boolean
}

export type RealtimeCase = {
  readonly account: number
  readonly client: readonly Message[]
  readonly vendor: readonly Message[]
  readonly end: 'close' | 'terminate' | 'vendor-close' | 'vendor-terminate' | 'odd-code'
  readonly query: string
}

const messageOf = (max: number): fc.Arbitrary<Message> =>
  fc.record({
    event: fc.nat({ max }),
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(treeChange, { minLength: 1, maxLength: 3 }) },
    ),
    text: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(textChange, { minLength: 1, maxLength: 1 }) },
    ),
    isBinary: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  })

/** A session: both sides send mutated events, then one of them ends it. */
export const realtimeCase: fc.Arbitrary<RealtimeCase> = fc.noBias(
  fc.record({
    account: fc.nat({ max: 1000 }),
    client: fc.array(messageOf(CLIENT_EVENTS.length - 1), { minLength: 1, maxLength: 8 }),
    vendor: fc.array(messageOf(VENDOR_EVENTS.length - 1), { maxLength: 8 }),
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
  encodeChanged(changeTree(events[event] ?? {}, changes), text)

const expected = new Map<string, RealtimeCase>()

/** Serves the sessions of the cases on the vendor's port: each message of the relay is answered by the next scripted events. */
export function serveRealtime(server: Server): void {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false) })
  server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    sockets.handleUpgrade(incoming, connection, head, (socket) => {
      const one = expected.get(String(incoming.headers[CASE_HEADER]))
      const script = [...(one?.vendor ?? [])]
      socket.on('error', () => undefined)
      socket.send(JSON.stringify({ type: 'session.created', session: { model: 'vendor', output_audio_format: 'pcm16' } }))
      socket.on('message', () => {
        for (const message of script.splice(0, 2)) socket.send(encode(VENDOR_EVENTS, message), { binary: message.isBinary })
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
      count(outcomes, 'realtime', status)
      const problems = [
        ...(status === 'timeout' ? ['realtime: the session did not end'] : []),
        ...(status.startsWith('5') && status !== '502' && status !== '503' && status !== '504' ? [`realtime: status ${status}`] : []),
        ...received
          .map((text) => secrets.find(text))
          .filter((name) => name !== undefined)
          .map((name) => `realtime: a message contains a secret: ${name}`),
        ...received.filter((text) => text.includes('"internal_error"')).map((text) => `realtime: ${text.slice(0, 200)}`),
      ]
      for (const text of problems) findings.add(text, { part: 'realtime', number: mine, repro: JSON.stringify(one).slice(0, 3000) })
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, 16) }, runOne))
  return sent
}

type Session = { readonly status: string; readonly received: readonly string[] }

function runSession(url: string, one: RealtimeCase, { id, key }: { readonly id: string; readonly key: string }): Promise<Session> {
  return new Promise((resolve) => {
    const received: string[] = []
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/v1/realtime?${one.query}`,
      ['realtime', `openai-insecure-api-key.sk-${key}`],
      {
        headers: { [CASE_HEADER]: id },
      },
    )
    const end = (status: string): void => {
      clearTimeout(timer)
      socket.terminate()
      resolve({ status, received })
    }
    const timer = setTimeout(() => end('timeout'), SESSION_MS)
    let at = 0
    const step = (): void => {
      const message = one.client[at]
      at += 1
      if (message !== undefined && socket.readyState === socket.OPEN)
        socket.send(encode(CLIENT_EVENTS, message), { binary: message.isBinary }, () => setImmediate(step))
      else if (one.end === 'terminate') end('left')
      else setTimeout(() => socket.close(1000), 20)
    }
    socket.on('open', step)
    socket.on('message', (data: Buffer) => received.push(data.toString()))
    socket.on('unexpected-response', (_, response) => {
      response.resume()
      end(String(response.statusCode))
    })
    socket.on('error', () => undefined)
    socket.on('close', (code) => end(`closed ${code}`))
  })
}
