import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { changeBytes, changeTree, encodeChanged } from '../mutations.ts'
import { toJsonText } from '../values.ts'
import type { VendorScript } from './cases.ts'
import { CASE_HEADER } from './encode-case.ts'
import { answerFor, type VendorAnswer } from './vendor-answers.ts'

/** The vendor's part in one case. */
export type VendorRecord = {
  calls: number
  /** Statuses that it sent, in order. */
  readonly statuses: number[]
  /** At least one of its answers was not the right one. */
  isFaulty: boolean
}

export type FuzzVendor = {
  readonly url: string
  readonly server: Server
  /** The vendor answers calls of this case by the script, until `forget`. */
  expect(id: string, script: VendorScript): VendorRecord
  forget(id: string): void
  stop(): Promise<void>
}

export const RIGHT_SCRIPT: VendorScript = {
  answer: 0,
  changes: [],
  usage: [],
  event: 0,
  text: [],
  stream: 'right',
  status: 200,
  type: 'right',
  transport: 'right',
}

/** A vendor that answers each case as its script says. */
export async function startFuzzVendor(): Promise<FuzzVendor> {
  const expected = new Map<string, { readonly script: VendorScript; readonly record: VendorRecord }>()
  const server = createServer((incoming, reply) => {
    const found = expected.get(String(incoming.headers[CASE_HEADER]))
    const { script, record } = found ?? { script: RIGHT_SCRIPT, record: newRecord() }
    answerCall(incoming, reply, { script, record }).catch(() => reply.destroy())
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    expect: (id, script) => {
      const record = newRecord()
      expected.set(id, { script, record })
      return record
    },
    forget: (id) => void expected.delete(id),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const newRecord = (): VendorRecord => ({ calls: 0, statuses: [], isFaulty: false })

type Turn = { readonly script: VendorScript; readonly record: VendorRecord }

async function answerCall(incoming: IncomingMessage, reply: ServerResponse, { script, record }: Turn): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Buffer)) // a request without encoding gives buffers
  record.calls += 1
  const path = incoming.url ?? ''
  const answer = answerFor(path, Buffer.concat(chunks).toString(), script.answer)
  record.isFaulty ||= isFaulty(script) || (answer.kind === 'sse' && answer.isBroken === true)
  const bytes = encodeAnswer(answer, script)
  const key = String(
    incoming.headers.authorization ?? incoming.headers['x-api-key'] ?? incoming.headers['x-goog-api-key'] ?? incoming.headers['api-key'],
  )
  await send(reply, { script, record, bytes, type: typeOf(answer, script), key })
}

function isFaulty(script: VendorScript): boolean {
  const { changes, usage, text, stream, status, type, transport } = script
  return (
    changes.length + usage.length + text.length > 0 || stream !== 'right' || status !== 200 || type !== 'right' || transport !== 'right'
  )
}

function typeOf(answer: VendorAnswer, { type }: VendorScript): string {
  if (type !== 'right') return type
  if (answer.kind === 'json') return 'application/json'
  return answer.kind === 'sse' ? 'text/event-stream' : answer.type
}

function encodeAnswer(answer: VendorAnswer, script: VendorScript): Buffer {
  let bytes: Buffer
  if (answer.kind === 'json') bytes = encodeChanged(changeTree(withUsage(answer.value, script), script.changes), [])
  else if (answer.kind === 'sse') bytes = encodeStream(answer.blocks, script)
  else bytes = answer.kind === 'text' ? Buffer.from(answer.text) : answer.bytes
  for (const change of script.text) bytes = changeBytes(bytes, change)
  return bytes
}

/** Writes the script's values over numbers inside any object that reports usage. */
function withUsage(value: unknown, { usage }: VendorScript): unknown {
  if (usage.length === 0) return value
  const copy = structuredClone(value)
  const places: { readonly parent: Record<string, unknown>; readonly key: string }[] = []
  const walk = (one: unknown, isUsage: boolean): void => {
    if (Array.isArray(one)) for (const inner of one) walk(inner, isUsage)
    else if (typeof one === 'object' && one !== null) {
      const parent = one as Record<string, unknown> // an object, as checked
      for (const [key, inner] of Object.entries(parent)) {
        const isBelow = isUsage || /usage/i.test(key)
        if (isBelow && typeof inner === 'number') places.push({ parent, key })
        walk(inner, isBelow)
      }
    }
  }
  walk(copy, false)
  for (const { at, value: odd } of usage) {
    const place = places[at % Math.max(1, places.length)]
    if (place !== undefined) place.parent[place.key] = odd
  }
  return copy
}

function encodeStream(given: readonly string[], script: VendorScript): Buffer {
  const blocks = given.map((block) => changeBlock(block, (data) => withUsage(data, script)))
  const at = script.event % Math.max(1, blocks.length)
  if (script.changes.length > 0) blocks[at] = changeBlock(blocks[at] ?? '', (data) => changeTree(data, script.changes))
  if (script.stream === 'drop') blocks.splice(at, 1)
  if (script.stream === 'double') blocks.splice(at, 0, blocks[at] ?? '')
  if (script.stream === 'reverse') blocks.reverse()
  if (script.stream === 'comments') blocks.splice(at, 0, ': PROCESSING', ':', 'id: 1\nretry: 1')
  if (script.stream === 'huge-line') blocks.splice(at, 0, `data: {"x":"${'y'.repeat(2 * 1024 * 1024)}"}`)
  if (script.stream === 'endless-spaces') blocks.splice(at, 0, `data: ${' '.repeat(512 * 1024)}`)
  const separator = script.stream === 'no-blank-lines' ? '\n' : '\n\n'
  const text = `${blocks.join(separator)}${separator}`
  return Buffer.from(script.stream === 'crlf' ? text.replaceAll('\n', '\r\n') : text)
}

/** Changes the JSON of one event; an event without JSON stays. */
function changeBlock(block: string, change: (data: unknown) => unknown): string {
  return block.replace(/^data: (\{.*\})$/m, (_line, text: string) => `data: ${toJsonText(change(JSON.parse(text)))}`)
}

type Sending = Turn & { readonly bytes: Buffer; readonly type: string; readonly key: string }

async function send(reply: ServerResponse, { script, record, bytes, type, key }: Sending): Promise<void> {
  const { transport } = script
  const headers: Record<string, string | string[]> = type === '' ? {} : { 'content-type': type }
  if (transport === 'silent') return
  if (transport === 'reset') return void reply.socket?.resetAndDestroy()
  if (transport === 'no-http') return void reply.socket?.end('SSH-2.0-OpenSSH_9.6\r\n')
  if (transport === 'error-with-key') {
    const status = script.answer % 2 === 0 ? 400 : 422
    record.statuses.push(status)
    const message = `Incorrect API key provided: ${key.replace(/^Bearer /, '')}. You can find your API key at https://vendor.example.`
    return void reply
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: key, code: 'invalid_api_key' } }))
  }
  if (transport === 'wrong-length') headers['content-length'] = String(bytes.length + 100)
  if (transport === 'false-gzip') headers['content-encoding'] = 'gzip'
  if (transport === 'set-cookie')
    Object.assign(headers, {
      'set-cookie': ['a=b; Domain=example'],
      'access-control-allow-origin': '*',
      location: 'http://127.0.0.1/',
      'x-key': key,
    })
  if (transport === 'retry-after')
    headers['retry-after'] = ['0', '-1', '1e9', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'][script.answer % 5] ?? '0'
  record.statuses.push(script.status)
  reply.writeHead(script.status, headers)
  const half = bytes.length >> 1
  if (transport === 'stall') return void reply.write(bytes.subarray(0, half))
  if (transport === 'cut' || transport === 'wrong-length') {
    reply.write(bytes.subarray(0, half))
    await wait(2)
    return void reply.socket?.destroy()
  }
  if (transport === 'early-end') return void reply.end(bytes.subarray(0, half))
  if (transport === 'single-bytes') {
    for (const byte of bytes.subarray(0, 300)) {
      reply.write(Buffer.of(byte))
      if (byte % 8 === 0) await wait(0)
    }
    return void reply.end(bytes.subarray(300))
  }
  reply.end(bytes)
}
