import Anthropic from '@anthropic-ai/sdk'
import { LLMock } from '@copilotkit/aimock'
import { GoogleGenAI } from '@google/genai'
import { FORMAT_USAGE, type Script } from '@tollgate/testing/format-scripts/script'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, PRICES, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/**
 * The official SDKs as clients of a relay on real sockets, with two vendors that are independent of libs/providers (the scripted vendor
 * and aimock) in every format. The SDKs' own checks validate every answer, and what is charged must be what the vendor produced.
 */
declare module 'vitest' {
  interface TaskMeta {
    sdk?: { client: string; vendor: string; server: string; case: string }
  }
}

const TEXT = 'Hello from a vendor of any format.'
const USAGE = {
  prompt_tokens: FORMAT_USAGE.input,
  completion_tokens: FORMAT_USAGE.output,
  total_tokens: FORMAT_USAGE.input + FORMAT_USAGE.output,
}
const CITIES = [{ city: 'Bonn' }, { city: 'Kyoto' }]
/** Channel types by the vendor's format; OpenAI gets the client's format if that is one of OpenAI's. */
const VENDORS = [
  ['OpenAI', 1],
  ['a vendor of Chat Completions only', 43],
  ['Anthropic', 14],
  ['Gemini', 24],
] as const
const SERVERS = ['scripted', 'aimock'] as const

const script: Script = ({ userText, hasToolResult }) => {
  if (userText.includes('refuse')) return { kind: 'error', status: 400, message: 'the vendor refuses' }
  if (!userText.includes('weather') || hasToolResult) return { kind: 'text', text: TEXT }
  return { kind: 'calls', calls: CITIES.map((input, index) => ({ id: `call_${index}`, name: 'weather', input })) }
}

let testbed: Testbed
let relay: TestRelay
let scripted: FormatVendor
const aimock = new LLMock({ port: 0 })

beforeAll(async () => {
  aimock.onMessage('weather', {
    toolCalls: CITIES.map((input, index) => ({ id: `call_${index}`, name: 'weather', arguments: JSON.stringify(input) })),
  })
  aimock.onMessage('refuse', { error: { message: 'the vendor refuses', type: 'invalid_request_error', code: 'scripted' }, status: 400 })
  aimock.onMessage('hello', { content: TEXT, usage: { ...USAGE } })
  await aimock.start()
  scripted = await startFormatVendor(script)
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await scripted.stop()
  await aimock.stop()
})

type Answer = { text: string; calls: readonly unknown[]; tokens: number }
type Client = {
  whole(asked: string, withTools: boolean): Promise<Answer>
  stream(asked: string, withTools: boolean): Promise<Answer>
  readonly error: new (...args: never[]) => Error
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
const MODEL = 'gpt-4o'
const { ratio: MODEL_RATIO = 0, completion_ratio: COMPLETION_RATIO = 0 } = PRICES.find(({ model }) => model === MODEL) ?? {}

const clients = {
  'openai chat': (key: string): Client => {
    const sdk = new OpenAI({ apiKey: key, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }]
    const body = (content: string, withTools: boolean) => ({
      model: MODEL,
      messages: [{ role: 'user' as const, content }],
      ...(withTools ? { tools } : {}),
    })
    const read = ({ choices, usage }: OpenAI.ChatCompletion): Answer => ({
      text: choices[0]?.message.content ?? '',
      calls: (choices[0]?.message.tool_calls ?? []).map((call): unknown =>
        JSON.parse(call.type === 'function' ? call.function.arguments : ''),
      ),
      tokens: usage?.total_tokens ?? 0,
    })
    return {
      whole: async (asked, withTools) => read(await sdk.chat.completions.create(body(asked, withTools))),
      stream: async (asked, withTools) =>
        read(
          await sdk.chat.completions.stream({ ...body(asked, withTools), stream_options: { include_usage: true } }).finalChatCompletion(),
        ),
      error: OpenAI.BadRequestError,
    }
  },
  'openai responses': (key: string): Client => {
    const sdk = new OpenAI({ apiKey: key, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    const tools = [{ type: 'function' as const, name: 'weather', parameters: SCHEMA, strict: false }]
    const body = (input: string, withTools: boolean) => ({ model: MODEL, input, ...(withTools ? { tools } : {}) })
    const read = ({ output_text, output, usage }: Pick<OpenAI.Responses.Response, 'output_text' | 'output' | 'usage'>): Answer => ({
      text: output_text,
      calls: output.flatMap((item): unknown[] => (item.type === 'function_call' ? [JSON.parse(item.arguments)] : [])),
      tokens: usage?.total_tokens ?? 0,
    })
    return {
      whole: async (asked, withTools) => read(await sdk.responses.create(body(asked, withTools))),
      stream: async (asked, withTools) => read(await sdk.responses.stream(body(asked, withTools)).finalResponse()),
      error: OpenAI.BadRequestError,
    }
  },
  '@anthropic-ai/sdk': (key: string): Client => {
    const sdk = new Anthropic({ apiKey: key, baseURL: relay.url, maxRetries: 0 })
    const tools = [{ name: 'weather', input_schema: { ...SCHEMA, required: ['city'] } }]
    const body = (content: string, withTools: boolean) => ({
      model: MODEL,
      max_tokens: 500,
      messages: [{ role: 'user' as const, content }],
      ...(withTools ? { tools } : {}),
    })
    const read = ({ content, usage }: Pick<Anthropic.Message, 'content' | 'usage'>): Answer => ({
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block): unknown[] => (block.type === 'tool_use' ? [block.input] : [])),
      tokens: usage.input_tokens + usage.output_tokens,
    })
    return {
      whole: async (asked, withTools) => read(await sdk.messages.create(body(asked, withTools))),
      stream: async (asked, withTools) => read(await sdk.messages.stream(body(asked, withTools)).finalMessage()),
      error: Anthropic.BadRequestError,
    }
  },
  '@google/genai': (key: string): Client => {
    const sdk = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: relay.url } })
    const tools = [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: SCHEMA }] }]
    const body = (contents: string, withTools: boolean) => ({ model: MODEL, contents, ...(withTools ? { config: { tools } } : {}) })
    return {
      whole: async (asked, withTools) => {
        const answer = await sdk.models.generateContent(body(asked, withTools))
        const calls = (answer.functionCalls ?? []).map(({ args }) => args)
        return { text: calls.length > 0 ? '' : (answer.text ?? ''), calls, tokens: answer.usageMetadata?.totalTokenCount ?? 0 }
      },
      stream: async (asked, withTools) => {
        const answer = { text: '', calls: [] as unknown[], tokens: 0 }
        for await (const chunk of await sdk.models.generateContentStream(body(asked, withTools))) {
          const parts = chunk.candidates?.[0]?.content?.parts ?? []
          for (const { text = '', functionCall } of parts) {
            answer.text += text
            if (functionCall !== undefined) answer.calls.push(functionCall.args)
          }
          answer.tokens = chunk.usageMetadata?.totalTokenCount ?? answer.tokens
        }
        return answer
      },
      // The class that the SDK throws is not exported: its name and status are asserted below.
      error: Error,
    }
  },
  '@google/genai interactions': (key: string): Client => {
    const sdk = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: relay.url } })
    const tools = [{ type: 'function' as const, name: 'weather', parameters: SCHEMA }]
    const body = (input: string, withTools: boolean) => ({ model: MODEL, input, ...(withTools ? { tools } : {}) })
    return {
      whole: async (asked, withTools) => {
        const { output_text: text = '', steps, usage } = await sdk.interactions.create(body(asked, withTools))
        const calls = steps.flatMap((step): unknown[] => (step.type === 'function_call' ? [step.arguments] : []))
        return { text, calls, tokens: usage?.total_tokens ?? 0 }
      },
      stream: async (asked, withTools) => {
        const answer = { text: '', calls: [] as unknown[], tokens: 0 }
        for await (const event of await sdk.interactions.create({ ...body(asked, withTools), stream: true })) {
          if (event.event_type === 'step.delta' && event.delta.type === 'text') answer.text += event.delta.text
          if (event.event_type === 'step.delta' && event.delta.type === 'arguments_delta')
            answer.calls.push(JSON.parse(event.delta.arguments ?? ''))
          if (event.event_type === 'interaction.completed') answer.tokens = event.interaction.usage?.total_tokens ?? 0
        }
        return answer
      },
      error: Error,
    }
  },
} as const

/** Cost of the vendor's usage at the model's price. */
const PRODUCED = Math.round((USAGE.prompt_tokens + USAGE.completion_tokens * COMPLETION_RATIO) * MODEL_RATIO)

/** The charges of an account, in order. */
const chargesOf = async (account: Account, count: number): Promise<number[]> =>
  await vi.waitFor(async () => {
    const events = await testbed.eventsOf(account)
    expect(events).toHaveLength(count)
    return events.map(({ charge }) => charge)
  })

const names = ['openai chat', 'openai responses', '@anthropic-ai/sdk', '@google/genai', '@google/genai interactions'] as const

describe.each(SERVERS)('%s', (server) => {
  describe.each(VENDORS)('as %s', (vendor, type) => {
    beforeAll(async () => {
      const url = server === 'scripted' ? scripted.url : aimock.url
      await testbed.publish({ channels: [aChannel(url, { type })] })
    })

    describe.each(names)('%s', (name) => {
      const open = async () => {
        const account = await testbed.anAccount()
        return { ...clients[name](`sk-${account.key}`), account }
      }

      it('gets a whole answer', async ({ task }) => {
        task.meta.sdk = { client: name, vendor, server, case: 'whole' }

        const client = await open()
        const answer = await client.whole('hello', false)

        expect(answer).toMatchObject({ text: TEXT, calls: [] })
        expect(answer.tokens).toBe(USAGE.total_tokens)
        expect(await chargesOf(client.account, 1)).toEqual([PRODUCED])
      })

      it('reads a stream', async ({ task }) => {
        task.meta.sdk = { client: name, vendor, server, case: 'stream' }

        const client = await open()
        const answer = await client.stream('hello', false)

        expect(answer).toMatchObject({ text: TEXT, calls: [] })
        expect(answer.tokens).toBe(USAGE.total_tokens)
        expect(await chargesOf(client.account, 1)).toEqual([PRODUCED])
      })

      it('is asked to call two tools, whole and streamed', async ({ task }) => {
        task.meta.sdk = { client: name, vendor, server, case: 'tools' }
        const client = await open()

        expect((await client.whole('weather', true)).calls).toEqual(CITIES)
        expect((await client.stream('weather', true)).calls).toEqual(CITIES)
        const charges = await chargesOf(client.account, 2)
        // Only the scripted vendor reports the same usage for calls.
        expect(charges).toEqual(server === 'scripted' ? [PRODUCED, PRODUCED] : [expect.any(Number), expect.any(Number)])
      })

      it('raises the vendor’s error, whole and streamed', async ({ task }) => {
        task.meta.sdk = { client: name, vendor, server, case: 'error' }
        const client = await open()

        for (const asked of [client.whole('refuse', false), client.stream('refuse', false)]) {
          const error: unknown = await asked.catch((cause: unknown) => cause)
          expect(error).toBeInstanceOf(client.error)
          expect(error).toMatchObject({ status: 400, message: expect.stringContaining('the vendor refuses') })
        }
        expect(await chargesOf(client.account, 2)).toEqual([0, 0])
      })
    })
  })
})
