import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { isObject, listAt, textAt } from '@tollgate/providers/json'
import { createSealer } from '@tollgate/config/sealing'
import { connectRedis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import type { Script } from '@tollgate/testing/format-scripts/script'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createResponseStates } from '../src/response-state/response-states.ts'
import { aChannel, KEY_CHANNELS, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

/** Conversations of the Responses API whose earlier turns are kept: by this gateway for converted answers, else by the vendor. */
const CONVERTED = [
  ['Chat Completions', 43],
  ['Messages', 14],
  ['Gemini', 24],
] as const
const OPENAI_TYPE = 1
const MODEL = 'gpt-4o'
const FINAL = 'It is sunny in both.'

const script: Script = ({ userText, hasToolResult }) => {
  if (hasToolResult || !userText.includes('weather')) return { kind: 'text', text: FINAL }
  return { kind: 'calls', calls: ['Bonn', 'Kyoto'].map((city, at) => ({ id: `call_${at}`, name: 'weather', input: { city } })) }
}

let testbed: Testbed
let relay: TestRelay
let converted: FormatVendor
let natives: NativeVendor[]

beforeAll(async () => {
  converted = await startFormatVendor(script)
  natives = await Promise.all([startNativeVendor(), startNativeVendor()])
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await Promise.all([converted.stop(), ...natives.map((vendor) => vendor.stop())])
})

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false } as const
const TOOLS = [{ type: 'function' as const, name: 'weather', parameters: SCHEMA, strict: false }]

const clientOf = (key: string) => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
const aClient = async () => clientOf((await testbed.anAccount()).key)
const outputsOf = ({ output }: Pick<OpenAI.Responses.Response, 'output'>) =>
  output.flatMap((item) =>
    item.type === 'function_call' ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'sunny' }] : [],
  )
const lastCall = () => converted.calls.at(-1)

describe.each(CONVERTED)('a conversation that is converted to %s', (_name, type) => {
  beforeAll(() => testbed.publish({ channels: [aChannel(converted.url, { type })] }))

  it.each([false, true])('goes on with previous_response_id over three turns (stream: %s)', async (isStream) => {
    const client = await aClient()
    const create = async (body: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>) =>
      isStream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body)

    const first = await create({ model: MODEL, instructions: 'Be brief.', input: 'What is the weather?', tools: TOOLS })
    const second = await create({ model: MODEL, previous_response_id: first.id, input: outputsOf(first), tools: TOOLS })
    const third = await create({ model: MODEL, previous_response_id: second.id, input: 'Thanks' })

    expect(first).toMatchObject({ store: true, previous_response_id: null })
    expect(second).toMatchObject({ previous_response_id: first.id, output_text: FINAL })
    expect(third.output_text).toBe(FINAL)
    for (const piece of ['What is the weather?', 'Bonn', 'Kyoto', 'sunny', FINAL, 'Thanks']) expect(lastCall()?.text).toContain(piece)
    expect(lastCall()?.text).not.toContain('Be brief.')
  })

  it('runs the tools of the AI SDK, which refers to items of the turn before', async () => {
    const { key } = await testbed.anAccount()
    const openai = createOpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1` })
    const settings = {
      model: openai(MODEL),
      tools: { weather: tool({ inputSchema: jsonSchema<{ city: string }>(SCHEMA), execute: () => 'sunny' }) },
      stopWhen: isStepCount(3),
      maxRetries: 0,
    }

    const whole = await generateText({ ...settings, prompt: 'What is the weather?' })
    const streamed = streamText({ ...settings, prompt: 'What is the weather?' })

    expect(whole.text).toBe(FINAL)
    expect(whole.steps.map(({ toolCalls }) => toolCalls.length)).toEqual([2, 0])
    expect(await streamed.text).toBe(FINAL)
    for (const piece of ['What is the weather?', 'Bonn', 'Kyoto', 'sunny']) expect(lastCall()?.text).toContain(piece)
  })

  it('keeps a conversation whose body is so large that a worker reads it', async () => {
    const client = await aClient()
    const first = await client.responses.create({ model: MODEL, input: `${'long '.repeat(80_000)} weather`, tools: TOOLS })
    const second = await client.responses.create({ model: MODEL, previous_response_id: first.id, input: outputsOf(first) })

    expect(second.output_text).toBe(FINAL)
    expect(lastCall()?.text.length).toBeGreaterThan(400_000)
  })

  it('keeps nothing of store: false', async () => {
    const account = await testbed.anAccount()
    const client = clientOf(account.key)
    const first = await client.responses.create({ model: MODEL, input: 'What is the weather?', tools: TOOLS, store: false })

    expect(first).toMatchObject({ store: false })
    expect(await testbed.redis.keys(`resp*{u${account.record.user_id}}*`)).toEqual([])
    await expect(client.responses.create({ model: MODEL, previous_response_id: first.id, input: 'x' })).rejects.toMatchObject(
      previousMissing(first.id),
    )
  })
})

const previousMissing = (id: string) => ({
  status: 400,
  code: 'previous_response_not_found',
  param: 'previous_response_id',
  message: expect.stringContaining(`Previous response with id '${id}' not found.`),
})
const itemMissing = (id: string) => ({
  status: 404,
  type: 'invalid_request_error',
  param: 'input',
  message: expect.stringContaining(`Item with id '${id}' not found.`),
})

describe('an answer that is kept here', () => {
  beforeAll(() => testbed.publish({ channels: [aChannel(converted.url, { type: 43 })] }))

  it('is not found by another user', async () => {
    const first = await (await aClient()).responses.create({ model: MODEL, input: 'hello' })
    const other = await aClient()
    const id = first.output[0]?.id ?? ''

    await expect(other.responses.create({ model: MODEL, previous_response_id: first.id, input: 'x' })).rejects.toMatchObject(
      previousMissing(first.id),
    )
    await expect(other.responses.create({ model: MODEL, input: [{ type: 'item_reference', id }] })).rejects.toMatchObject(itemMissing(id))
    await expect(other.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.delete(first.id)).rejects.toMatchObject({ status: 404 })
  })

  it('is lost, not an error, when its sealing key is', async () => {
    const account = await testbed.anAccount()
    const client = clientOf(account.key)
    const first = await client.responses.create({ model: MODEL, input: 'hello' })
    const other = createSealer(`other:${Buffer.alloc(32, 9).toString('base64url')}`)
    await testbed.redis.set(keys.responseState(account.record.user_id, first.id), other.seal('{}', 'another'))

    await expect(client.responses.create({ model: MODEL, previous_response_id: first.id, input: 'x' })).rejects.toMatchObject(
      previousMissing(first.id),
    )
  })

  it('is sealed in Redis', async () => {
    const account = await testbed.anAccount()
    const first = await clientOf(account.key).responses.create({ model: MODEL, input: 'a secret prompt' })
    const stored = await testbed.redis.get(keys.responseState(account.record.user_id, `${first.id}/input`))

    expect(stored).toMatch(/^v1\./)
    expect(stored).not.toContain('secret')
  })

  it('is read, listed and deleted', async () => {
    const client = await aClient()
    const first = await client.responses.create({ model: MODEL, input: 'What is the weather?', tools: TOOLS })
    const read = await client.responses.retrieve(first.id)
    const items = await client.responses.inputItems.list(first.id)

    expect({ ...read, output_text: '' }).toEqual({ ...first, output_text: '' })
    expect(items.data).toMatchObject([{ type: 'message', role: 'user', content: 'What is the weather?' }])
    await client.responses.delete(first.id)
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.responses.create({ model: MODEL, previous_response_id: first.id, input: 'x' })).rejects.toMatchObject(
      previousMissing(first.id),
    )
  })

  it('is removed when newer ones fill the user’s share, or after its lifetime', async () => {
    await testbed.publish({
      channels: [aChannel(converted.url, { type: 43 })],
      options: { ResponseStateUserSize: '12', ResponseStateTtl: '600' },
    })
    const account = await testbed.anAccount()
    const client = clientOf(account.key)
    const ids: string[] = []
    for (let turn = 0; turn < 8; turn += 1) ids.push((await client.responses.create({ model: MODEL, input: 'x'.repeat(1000) })).id)

    await expect(client.responses.retrieve(ids[0] ?? '')).rejects.toMatchObject({ status: 404 })
    expect(await client.responses.retrieve(ids.at(-1) ?? '')).toMatchObject({ id: ids.at(-1) })
    const sizes = await testbed.redis.hgetall(keys.responseStateSizes(account.record.user_id))
    expect(Number(sizes[''])).toBeLessThanOrEqual(12 * 1024)
    const ttl = await testbed.redis.ttl(keys.responseStateSizes(account.record.user_id))
    expect([ttl > 590, ttl <= 600]).toEqual([true, true])
    await testbed.publish({ channels: [aChannel(converted.url, { type: 43 })] })
  })

  it('is refused when the turns before are too long, and cannot be continued when its input was', async () => {
    const channels = [aChannel(converted.url, { type: 43 })]
    await testbed.publish({ channels, options: { ResponseStateMaxSize: '4' } })
    const client = await aClient()
    const turn = async (previous: string | undefined, length: number) =>
      await client.responses.create({
        model: MODEL,
        input: 'x'.repeat(length),
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      })
    const first = await turn(undefined, 2500)
    const second = await turn(first.id, 2500)
    const large = await turn(undefined, 5000)

    await expect(turn(second.id, 10)).rejects.toMatchObject({ status: 400, code: 'conversation_too_long' })
    await expect(turn('resp_'.padEnd(100_000, 'x'), 10)).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
    const many = Array.from({ length: 1001 }, (_, at) => ({ type: 'item_reference' as const, id: `msg_${at}` }))
    await expect(client.responses.create({ model: MODEL, input: many })).rejects.toMatchObject({ status: 400, param: 'input' })
    await expect(turn(large.id, 10)).rejects.toMatchObject(previousMissing(large.id))
    const item = { type: 'item_reference' as const, id: large.output[0]?.id ?? '' }
    expect((await client.responses.create({ model: MODEL, input: [item, { role: 'user', content: 'more' }] })).output_text).toBe(FINAL)
    await testbed.publish({ channels })
  })

  it('cannot be looked up without Redis, which costs no other answer', async () => {
    const redis = connectRedis('redis://127.0.0.1:1', 'ledger')
    const lines: unknown[] = []
    const log = { ...relay.deps.log, warn: (fields: unknown) => void lines.push(fields) }
    const states = createResponseStates({
      ...relay.deps,
      redis,
      log,
      sealer: createSealer(KEY_CHANNELS),
      settings: () => relay.deps.config.settings,
    })
    const asked = { is_stored: true, previous_response_id: 'resp_1', item_ids: [], hinted_ids: [], has_own_items: false }

    await expect(states.resolve(1, asked)).rejects.toMatchObject({ code: 'response.unavailable', status: 503 })
    await states.keepAnswer({ id: 'resp_1', output: [] }, { user_id: 1, chain: [], made_by: undefined })
    expect(lines).toHaveLength(1)
    redis.disconnect()
  })

  it('is sent whole to a vendor that knows the format but not the answer', async () => {
    const [native] = natives
    const client = await aClient()
    const first = await client.responses.create({ model: MODEL, input: 'What is the weather?', tools: TOOLS })
    await testbed.publish({ channels: [aChannel(native?.url ?? '', { type: OPENAI_TYPE })] })

    const second = await client.responses.create({ model: MODEL, previous_response_id: first.id, input: outputsOf(first) })

    const sent = native?.bodies.at(-1)
    expect(second.output_text).toBe('native')
    expect(sent?.['previous_response_id']).toBeNull()
    expect(listAt(sent, 'input').map((item) => textAt(item, 'type'))).toEqual([
      'message',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ])
    expect(listAt(sent, 'input').some((item) => isObject(item) && 'id' in item)).toBe(false)
  })
})

describe('an answer that its vendor keeps', () => {
  it('is continued on the channel and key that made it, and by its owner only', async () => {
    const channels = natives.map(({ url }) => aChannel(url, { type: OPENAI_TYPE }))
    await testbed.publish({ channels, options: { ChannelAffinityEnabled: 'false' } })
    const client = await aClient()
    for (let turn = 0; turn < 12; turn += 1) {
      const first = await client.responses.create({ model: MODEL, input: `turn ${turn}` })
      const item = first.output[0]?.id ?? ''
      const second = await client.responses.create({ model: MODEL, previous_response_id: first.id, input: 'more' })
      const third = await client.responses.create({ model: MODEL, input: [{ type: 'item_reference', id: item }] })
      expect([second.id, third.id].map(ownerOf)).toEqual([ownerOf(first.id), ownerOf(first.id)])
    }
    const last = await client.responses.create({ model: MODEL, input: 'mine' })
    await expect((await aClient()).responses.create({ model: MODEL, previous_response_id: last.id, input: 'x' })).rejects.toMatchObject(
      previousMissing(last.id),
    )
  })

  it('is not found once its channel is gone', async () => {
    const channels = natives.map(({ url }) => aChannel(url, { type: OPENAI_TYPE }))
    await testbed.publish({ channels })
    const client = await aClient()
    const stream = client.responses.stream({ model: MODEL, input: 'hello' })
    const first = await stream.finalResponse()
    const other = channels.filter((_, at) => natives[at]?.name !== ownerOf(first.id))
    await testbed.publish({ channels: [...other, aChannel(converted.url, { type: 43 })] })

    await expect(client.responses.create({ model: MODEL, previous_response_id: first.id, input: 'x' })).rejects.toMatchObject(
      previousMissing(first.id),
    )
    await expect(
      client.responses.create({ model: MODEL, input: [{ type: 'item_reference', id: first.output[0]?.id ?? '' }] }),
    ).rejects.toMatchObject(itemMissing(first.output[0]?.id ?? ''))
  })
})

const ownerOf = (id: string) => id.split('-')[1] ?? ''

type NativeVendor = { readonly name: string; readonly url: string; readonly bodies: Record<string, unknown>[]; stop(): Promise<void> }

let started = 0

/** A vendor of the Responses API that keeps its answers; their ids name it. */
async function startNativeVendor(): Promise<NativeVendor> {
  started += 1
  const name = `vendor${started}`
  const bodies: Record<string, unknown>[] = []
  const server: Server = createServer((incoming, reply) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      if (isObject(body)) bodies.push({ ...body })
      const n = bodies.length
      const content = [{ type: 'output_text', text: 'native', annotations: [], logprobs: [] }]
      const output = [{ id: `msg-${name}-${n}`, type: 'message', status: 'completed', role: 'assistant', content }]
      const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
      const response = { id: `resp-${name}-${n}`, object: 'response', status: 'completed', model: MODEL, output, store: true, usage }
      if (!isObject(body) || body['stream'] !== true)
        return void reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response))
      const events = [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...output[0], content: [] } },
        {
          type: 'response.content_part.added',
          output_index: 0,
          content_index: 0,
          item_id: output[0]?.id,
          part: { ...content[0], text: '' },
        },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: output[0]?.id, delta: 'native' },
        { type: 'response.output_item.done', output_index: 0, item: output[0] },
        { type: 'response.completed', response },
      ]
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.end(events.map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`).join(''))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    bodies,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
