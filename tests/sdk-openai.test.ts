import { LLMock } from '@copilotkit/aimock'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, createToken, must, setUp, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

/** The official SDK as a client, aimock as the vendor. */
describe('the openai SDK against the gateway', () => {
  const vendor = new LLMock({ port: 0 })
  let stack: Stack
  let api: Api
  let key: string
  let url: string

  const client = (apiKey = `sk-${key}`): OpenAI => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })

  beforeAll(async () => {
    vendor.onMessage('weather in two cities', {
      toolCalls: [
        { id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
        { id: 'call_2', name: 'get_weather', arguments: '{"city":"Rome"}' },
      ],
    })
    vendor.onMessage('hello', { content: 'Hello from the vendor.', usage: { prompt_tokens: 11, completion_tokens: 5 } })
    await vendor.start()
    stack = await startStack()
    url = stack.relays[0]?.url ?? ''
    api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: vendor.url })
    key = (await createToken(api)).key
    await vi.waitUntil(async () => (await client().models.list()).data.length === 2, { timeout: 5000, interval: 50 })
  })
  afterAll(async () => {
    await stack.stop()
    await vendor.stop()
  })

  it('lists the models of the group', async () => {
    const models = await client().models.list()

    expect(models.data.map((model) => model.id).sort()).toEqual(['gpt-4o', 'gpt-4o-mini'])
  })

  it('gets one model, and a typed 404 for an unknown one', async () => {
    expect((await client().models.retrieve('gpt-4o')).id).toBe('gpt-4o')

    await expect(client().models.retrieve('no-such-model')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('chats', async () => {
    const answer = await client().chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] })

    expect(answer.choices[0]?.message.content).toBe('Hello from the vendor.')
    expect(answer.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 5 })
  })

  it('streams without include_usage: no usage chunk reaches the client', async () => {
    const stream = await client().chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    })
    let text = ''
    let chunksWithoutChoice = 0
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (chunk.choices.length === 0) chunksWithoutChoice += 1
    }

    expect(text).toBe('Hello from the vendor.')
    expect(chunksWithoutChoice).toBe(0)
  })

  it('streams with include_usage: the last chunk carries the usage', async () => {
    const stream = await client().chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) usage = chunk.usage ?? usage

    expect(usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 5 })
  })

  it('uses parallel tool calls, streamed', async () => {
    const final = await client()
      .chat.completions.stream({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'weather in two cities' }],
        tools: [
          { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
        ],
      })
      .finalChatCompletion()

    const calls = final.choices[0]?.message.tool_calls ?? []
    expect(calls.map((call) => [call.id, call.type === 'function' ? call.function.arguments : ''])).toEqual([
      ['call_1', '{"city":"Paris"}'],
      ['call_2', '{"city":"Rome"}'],
    ])
  })

  it('gets a typed 401 for an unknown key, with the text and the request id', async () => {
    const failure = await client(`sk-${'x'.repeat(48)}`)
      .models.list()
      .catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(String(failure)).toMatch(/Invalid token$/)
    expect(failure).toHaveProperty('requestID', expect.stringMatching(/^\d{8}\w+$/))
  })

  it('gets a typed 404 for a model outside the token’s list', async () => {
    const limited = await createToken(api, { model_limits_enabled: true, model_limits: 'gpt-4o' })

    const failure = await client(`sk-${limited.key}`)
      .chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] })
      .catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
    expect(String(failure)).toContain('This token may not use model gpt-4o-mini')
  })

  it('gets a typed 400 for a body without messages', async () => {
    const failure = await client()
      .chat.completions.create({ model: 'gpt-4o-mini', messages: [] })
      .catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
    expect(String(failure)).toContain('field messages is required')
  })

  it('gets a typed 429 with Retry-After when the request window is full', async () => {
    must(await api.put('/api/option/', { key: 'ModelRequestRateLimitCount', value: '1' }))
    must(await api.put('/api/option/', { key: 'ModelRequestRateLimitEnabled', value: 'true' }))
    const limited = await createToken(api)
    const ask = async (): Promise<unknown> =>
      await client(`sk-${limited.key}`)
        .chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] })
        .catch((error: unknown) => error)

    const failure = await expect.poll(ask, { timeout: 5000, interval: 100 }).toBeInstanceOf(OpenAI.RateLimitError).then(ask)

    expect(String(failure)).toContain('Total request limit reached')
    expect(failure instanceof OpenAI.RateLimitError && Number(failure.headers.get('retry-after'))).toBeGreaterThan(0)
    must(await api.put('/api/option/', { key: 'ModelRequestRateLimitEnabled', value: 'false' }))
  })
})
