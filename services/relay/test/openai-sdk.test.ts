import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

async function clientOf(over: Parameters<Testbed['anAccount']>[0] = {}): Promise<OpenAI> {
  const { key } = await testbed.anAccount(over)
  return new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
}

const request = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] } as const
const asking = { ...request, messages: [...request.messages] }

describe('the openai SDK', () => {
  it('lists models and gets one', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const client = await clientOf()

    const ids = []
    for await (const model of client.models.list()) ids.push(model.id)

    expect(ids).toContain('gpt-4o')
    expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' })
  })

  it('chats', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })

    const answer = await (await clientOf()).chat.completions.create(asking)

    expect(answer.choices[0]?.message.content).toBe('Hello from the scripted vendor.')
    expect(answer.usage?.total_tokens).toBe(18)
  })

  it.each([
    ['without usage', {}, 0],
    ['with include_usage', { stream_options: { include_usage: true } }, 1],
  ])('streams %s', async (_name, options, usages) => {
    await testbed.publish({ channels: [testbed.aChannel('paced~2')] })
    const stream = await (await clientOf()).chat.completions.create({ ...asking, ...options, stream: true })

    let text = ''
    let seen = 0
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (chunk.usage) seen += 1
    }

    expect(text).toBe('Hello from the scripted vendor.')
    expect(seen).toBe(usages)
  })

  it('raises an error inside a stream', async () => {
    await testbed.publish({ channels: [testbed.aChannel('cut-mid-stream')] })
    const stream = await (await clientOf()).chat.completions.create({ ...asking, stream: true })

    const reading = (async () => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk')
    })()

    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError)
  })

  it('gets typed errors', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const client = await clientOf()
    const stranger = new OpenAI({ apiKey: 'sk-unknown', baseURL: `${relay.url}/v1`, maxRetries: 0 })
    const poor = await clientOf({ credited: 0 })

    await expect(stranger.chat.completions.create(asking)).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    await expect(poor.chat.completions.create(asking)).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError)
    await expect(client.models.retrieve('nothing')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(client.chat.completions.create({ ...asking, messages: [] })).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    await expect(client.chat.completions.create({ ...asking, model: 'nothing' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    })
    const { response, request_id } = await client.chat.completions.create(asking).withResponse()
    expect(request_id).toBe(response.headers.get('x-oneapi-request-id'))
    expect(response.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-ratelimit-remaining-requests')
    await testbed.publish({ channels: [testbed.aChannel('status~429')] })
    await expect(client.chat.completions.create(asking)).rejects.toBeInstanceOf(OpenAI.RateLimitError)
  })

  it('receives parallel tool calls, whole and streamed', async () => {
    await testbed.publish({ channels: [testbed.aChannel('tools')] })
    const client = await clientOf()
    const tools = [
      {
        type: 'function' as const,
        function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      },
    ]

    const whole = await client.chat.completions.create({ ...asking, tools, parallel_tool_calls: true })
    const streamed = await client.chat.completions.stream({ ...asking, tools, parallel_tool_calls: true }).finalChatCompletion()

    for (const answer of [whole, streamed]) {
      const calls = (answer.choices[0]?.message.tool_calls ?? []).map((call) => (call.type === 'function' ? call.function.arguments : ''))
      expect(calls).toEqual(['{"city":"Bonn"}', '{"city":"Kyoto"}'])
    }
  })
})
