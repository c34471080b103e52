import { connect } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, createToken, setUp, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

const LIMIT = 32 * 1024 * 1024

type ErrorBody = {
  readonly error: { readonly message: string; readonly type: string; readonly code: string | null; readonly param: string | null }
}

describe('bad input gets an OpenAI-format error and leaves no open hold', () => {
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let key: string
  let redis: Redis

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack({ relayEnv: { RELAY_MAX_BODY: String(LIMIT) } })
    redis = new Redis(stack.redis.url)
    api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/paced~50~200`, models: 'gpt-4o-mini,unpriced-model' })
    key = (await createToken(api, { unlimited_quota: true })).key
    await vi.waitUntil(async () => (await listModels()).includes('gpt-4o-mini'), { timeout: 5000, interval: 50 })
  })
  afterAll(async () => {
    redis.disconnect()
    await stack.stop()
    await vendor.stop()
  })

  const listModels = async (): Promise<string> =>
    await (await fetch(`${stack.relays[0]?.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).text()

  const send = async (body: string | Buffer | ReadableStream): Promise<{ status: number; code: string; message: string }> => {
    const answer = await fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    })
    const { error } = (await answer.json()) as ErrorBody
    return { status: answer.status, code: error.code ?? '', message: error.message }
  }

  const openHolds = async (): Promise<number> => {
    let open = 0
    for (let shard = 0; shard < Number(stack.env['SHARDS']); shard += 1)
      open += (await redis.hvals(keys.holds(shard))).filter((line) => line.startsWith('o|')).length
    return open
  }

  it.each([
    ['malformed JSON', '{"model": "gpt-4o-mini", "messages": [', 400],
    ['no JSON object', '[1, 2]', 400],
    ['an empty body', '', 400],
    ['a model of a wrong type', '{"model": 7, "messages": [{"role": "user", "content": "hi"}]}', 400],
    ['messages of a wrong type', '{"model": "gpt-4o-mini", "messages": "hi"}', 400],
    ['max_tokens of a wrong type', '{"model": "gpt-4o-mini", "max_tokens": "many", "messages": [{"role": "user", "content": "hi"}]}', 400],
    ['stream of a wrong type', '{"model": "gpt-4o-mini", "stream": "yes", "messages": [{"role": "user", "content": "hi"}]}', 400],
    ['no model', '{"messages": [{"role": "user", "content": "hi"}]}', 400],
    ['an unknown model', '{"model": "no-such-model", "messages": [{"role": "user", "content": "hi"}]}', 404],
    ['an unpriced model', '{"model": "unpriced-model", "messages": [{"role": "user", "content": "hi"}]}', 404],
  ])('%s', async (_reason, body, status) => {
    const answer = await send(body)

    expect(answer.status).toBe(status)
    expect(answer.code).not.toBe('')
    expect(answer.message).not.toBe('')
    expect(await openHolds()).toBe(0)
  })

  it('invalid UTF-8 is refused, not replaced', async () => {
    const body = Buffer.concat([
      Buffer.from('{"model":"gpt-4o-mini","messages":[{"role":"user","content":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}]}'),
    ])

    const answer = await send(body)

    expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
  })

  it('a body over RELAY_MAX_BODY is refused with 413', async () => {
    const answer = await send(Buffer.alloc(LIMIT + 1, 32))

    expect([answer.status, answer.code]).toEqual([413, 'request_too_large'])
  })

  it('a client that disconnects after the first chunk is charged for it, and the upstream call is aborted', async () => {
    const before = vendor.calls.length
    await readFirstChunk(stack.relays[0]?.url ?? '', key)

    await expect.poll(() => vendor.calls.at(-1)?.isAborted, { timeout: 5000 }).toBe(true)
    expect(vendor.calls.length).toBe(before + 1)
    await expect.poll(openHolds, { timeout: 5000 }).toBe(0)
    await expect
      .poll(
        async () =>
          await stack.database.db
            .selectFrom('logs')
            .select(['state', 'quota', 'is_stream'])
            .where('state', '=', 'estimated')
            .executeTakeFirst(),
        { timeout: 10_000 },
      )
      .toMatchObject({ state: 'estimated', is_stream: true })
  })
})

/** Sends the request on a plain socket and resets it after the first word. */
async function readFirstChunk(url: string, key: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'hi' }] })
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer sk-${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await new Promise<void>((resolve, reject) => {
    let text = ''
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (!text.includes('"content":"Hello"')) return
      socket.resetAndDestroy()
      resolve()
    })
  })
}
