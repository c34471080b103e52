import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// The cost of a request follows from the vendor's answer, whatever the client speaks: every field that is charged, of every format, asked
// by clients of every format, whole and streamed. The table is docs/generated/charges.md: `npx vitest run <this file> -u` writes it.

const CLIENTS = ['chat', 'responses', 'messages', 'gemini'] as const
type Client = (typeof CLIENTS)[number]
type Fields = Record<string, unknown>
/** `charge`: in quota, at the prices below. `fields`: the client's request for the vendor's tool; absent for a client that cannot. */
type Row = {
  readonly vendor: Client
  readonly field: string
  readonly answer: Fields
  readonly charge: number
  readonly fields?: ToolFields
}
type ToolFields = Partial<Record<Client, Fields>>

/** A prompt token costs 1. */
const PRICE = {
  ratio: 1,
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 2,
  cache_creation_1h_ratio: 3,
  image_ratio: 5,
  image_cache_ratio: 0.25,
  image_completion_ratio: 9,
  audio_ratio: 7,
  audio_cache_ratio: 0.75,
  audio_completion_ratio: 2,
}
const TOOL_PRICES = { web_search: 10, web_search_preview: 25, google_search: 14, file_search: 2.5, image_generation: 40 }
/** Quota of one call of a tool at 1 US dollar per 1 000. */
const CALL = 500
/** 100 prompt tokens and 10 of the answer. */
const PLAIN = 100 + 10 * 4

const SEARCH: ToolFields = {
  chat: { web_search_options: {} },
  responses: { tools: [{ type: 'web_search' }] },
  messages: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] },
  gemini: { tools: [{ googleSearch: {} }] },
}

const anthropic = (field: string, usage: Fields, charge: number, fields?: ToolFields): Row => ({
  vendor: 'messages',
  field,
  answer: { usage: { input_tokens: 100, output_tokens: 10, ...usage } },
  charge,
  ...(fields === undefined ? {} : { fields }),
})
const chat = (field: string, usage: Fields, charge: number): Row => ({
  vendor: 'chat',
  field,
  answer: { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, ...usage } },
  charge,
})
const responses = (field: string, { usage, ...rest }: Fields & { usage?: Fields }, charge: number, fields?: ToolFields): Row => ({
  vendor: 'responses',
  field,
  answer: { usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110, ...usage }, ...rest },
  charge,
  ...(fields === undefined ? {} : { fields }),
})
const google = (field: string, { usage, ...candidate }: Fields & { usage?: Fields }, charge: number, fields?: ToolFields): Row => ({
  vendor: 'gemini',
  field,
  answer: { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110, ...usage }, ...candidate },
  charge,
  ...(fields === undefined ? {} : { fields }),
})
const of = (modality: string, tokenCount: number) => [{ modality, tokenCount }]
const searched = (id: string) => ({ id, type: 'web_search_call', status: 'completed', action: { type: 'search', query: id } })
const opened = { id: 'ws_9', type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: 'https://example.com' } }

const ROWS: readonly Row[] = [
  chat('none', {}, PLAIN),
  chat('prompt_tokens_details.cached_tokens', { prompt_tokens_details: { cached_tokens: 60 } }, PLAIN - 30),
  chat('prompt_cache_hit_tokens', { prompt_cache_hit_tokens: 60 }, PLAIN - 30),
  chat('cached_tokens', { cached_tokens: 60 }, PLAIN - 30),
  chat('prompt_tokens_details.cache_write_tokens', { prompt_tokens_details: { cache_write_tokens: 60 } }, PLAIN + 60),
  chat('prompt_tokens_details.cache_creation_input_tokens', { prompt_tokens_details: { cache_creation_input_tokens: 60 } }, PLAIN + 60),
  chat('prompt_tokens_details.audio_tokens', { prompt_tokens_details: { audio_tokens: 10 } }, PLAIN + 60),
  chat('prompt_tokens_details.image_tokens', { prompt_tokens_details: { image_tokens: 10 } }, PLAIN + 40),
  chat('completion_tokens_details.audio_tokens', { completion_tokens_details: { audio_tokens: 5 } }, 100 + 5 * 4 + 5 * 7 * 2),
  chat('completion_tokens_details.image_tokens', { completion_tokens_details: { image_tokens: 5 } }, 100 + 5 * 4 + 5 * 9),
  chat('completion_tokens_details.reasoning_tokens', { completion_tokens_details: { reasoning_tokens: 6 } }, PLAIN),
  chat('reasoning_tokens beside completion_tokens', { total_tokens: 116, completion_tokens_details: { reasoning_tokens: 6 } }, PLAIN + 24),
  responses('none', {}, PLAIN),
  responses('input_tokens_details.cached_tokens', { usage: { input_tokens_details: { cached_tokens: 60 } } }, PLAIN - 30),
  responses('input_tokens_details.cache_write_tokens', { usage: { input_tokens_details: { cache_write_tokens: 60 } } }, PLAIN + 60),
  responses(
    'cache_write_tokens_details.ttl_12h_tokens',
    { usage: { input_tokens_details: { cache_write_tokens: 60, cache_write_tokens_details: { ttl_12h_tokens: 20 } } } },
    PLAIN + 40 + 40,
  ),
  responses('output_tokens_details.reasoning_tokens', { usage: { output_tokens_details: { reasoning_tokens: 6 } } }, PLAIN),
  responses('web_search_call', { output: [searched('ws_1'), opened, searched('ws_2')] }, PLAIN + 2 * 10 * CALL, SEARCH),
  responses(
    'tool_usage.web_search',
    { output: [searched('ws_1')], tool_usage: { web_search: { num_requests: 3 } } },
    PLAIN + 3 * 10 * CALL,
    SEARCH,
  ),
  responses(
    'file_search_call',
    { output: [{ id: 'fs_1', type: 'file_search_call', status: 'completed', queries: ['a'] }] },
    PLAIN + 2.5 * CALL,
    {
      responses: { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    },
  ),
  responses(
    'image_generation_call',
    { output: [{ id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'aW1hZ2U=' }] },
    PLAIN + 40 * CALL,
    { responses: { tools: [{ type: 'image_generation' }] } },
  ),
  anthropic('none', {}, PLAIN),
  anthropic('cache_read_input_tokens', { cache_read_input_tokens: 60 }, PLAIN + 30),
  anthropic('cache_creation_input_tokens', { cache_creation_input_tokens: 60 }, PLAIN + 120),
  anthropic(
    'cache_creation.ephemeral_1h_input_tokens',
    { cache_creation_input_tokens: 60, cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 20 } },
    PLAIN + 80 + 60,
  ),
  anthropic('output_tokens_details.thinking_tokens', { output_tokens_details: { thinking_tokens: 6 } }, PLAIN),
  anthropic('iterations of type compaction', { iterations: [{ type: 'compaction', input_tokens: 50, output_tokens: 5 }] }, PLAIN + 50 + 20),
  anthropic('server_tool_use.web_search_requests', { server_tool_use: { web_search_requests: 3 } }, PLAIN + 3 * 10 * CALL, SEARCH),
  google('none', {}, PLAIN),
  google('cachedContentTokenCount', { usage: { cachedContentTokenCount: 60 } }, PLAIN - 30),
  google(
    'cacheTokensDetails of IMAGE',
    { usage: { cachedContentTokenCount: 60, cacheTokensDetails: of('IMAGE', 40), promptTokensDetails: of('IMAGE', 40) } },
    PLAIN - 60 + 20 * 0.5 + 40 * 0.25,
  ),
  google(
    'cacheTokensDetails of AUDIO',
    { usage: { cachedContentTokenCount: 60, cacheTokensDetails: of('AUDIO', 40), promptTokensDetails: of('AUDIO', 40) } },
    PLAIN - 60 + 20 * 0.5 + 40 * 0.75,
  ),
  google('promptTokensDetails of IMAGE', { usage: { promptTokensDetails: of('IMAGE', 10) } }, PLAIN + 40),
  google('promptTokensDetails of AUDIO', { usage: { promptTokensDetails: of('AUDIO', 10) } }, PLAIN + 60),
  google('candidatesTokensDetails of IMAGE', { usage: { candidatesTokensDetails: of('IMAGE', 5) } }, 100 + 5 * 4 + 5 * 9),
  google('candidatesTokensDetails of AUDIO', { usage: { candidatesTokensDetails: of('AUDIO', 5) } }, 100 + 5 * 4 + 5 * 7 * 2),
  google('thoughtsTokenCount', { usage: { thoughtsTokenCount: 6, totalTokenCount: 116 } }, PLAIN + 24),
  google('toolUsePromptTokenCount', { usage: { toolUsePromptTokenCount: 20, totalTokenCount: 130 } }, PLAIN + 20),
  google('groundingMetadata.webSearchQueries', { groundingMetadata: { webSearchQueries: ['a', 'b', 'a'] } }, PLAIN + 2 * 14 * CALL, SEARCH),
]

/** Channel types whose only chat format is this one, and a model whose name all of them take. */
const TYPES: Readonly<Record<Client, number>> = { chat: 43, responses: 57, messages: 14, gemini: 24 }
const MODELS: Readonly<Record<Client, string>> = { chat: 'chat-1', responses: 'gpt-4.1', messages: 'claude-1', gemini: 'gemini-3-pro' }

let testbed: Testbed
let relay: TestRelay
let row: Row
const vendor = createServer((incoming, reply) => {
  let text = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (piece: string) => (text += piece))
  incoming.on('end', () => answer(/"stream":true|streamGenerate/.test(text + (incoming.url ?? '')), reply))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a listening TCP server has one
  testbed = await openTestbed()
  await testbed.publish({
    channels: CLIENTS.map((format) => testbed.aChannel('', { base_url, type: TYPES[format], models: [MODELS[format]] })),
    prices: CLIENTS.map((format) => ({ model: MODELS[format], ...PRICE })),
    options: { 'tool_price_setting.prices': JSON.stringify(TOOL_PRICES) },
  })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

const sse = (events: readonly object[]) =>
  events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('')

function answer(isStream: boolean, reply: ServerResponse): void {
  const { whole, events } = FORMATS[row.vendor](row.answer)
  reply.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
  reply.end(isStream ? sse(events) + (row.vendor === 'chat' ? 'data: [DONE]\n\n' : '') : JSON.stringify(whole))
}

/** The answer "Hello" in each format, with the row's fields. */
const FORMATS: Readonly<Record<Client, (fields: Fields) => { readonly whole: object; readonly events: readonly object[] }>> = {
  chat: ({ usage }) => {
    const head = { id: 'x', created: 1, model: 'm' }
    const said = (name: string, more: object, finish_reason: string | null) => ({
      ...head,
      choices: [{ index: 0, [name]: more, finish_reason }],
    })
    const hello = { role: 'assistant', content: 'Hello' }
    return {
      whole: { ...said('message', hello, 'stop'), object: 'chat.completion', usage },
      events: [said('delta', hello, null), said('delta', {}, 'stop'), { ...head, choices: [], usage }],
    }
  },
  responses: ({ usage, output = [], ...rest }) => {
    const content = [{ type: 'output_text', text: 'Hello', annotations: [] }]
    const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
    const items = [...(output as object[]), message] // a list of items in every row
    const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
    const whole = { ...head, status: 'completed', output: items, usage, ...rest }
    const added = items.flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: { ...item, status: 'in_progress', ...(item === message ? { content: [] } : {}) },
      },
      ...(item === message
        ? [{ type: 'response.output_text.delta', item_id: 'msg_1', output_index, content_index: 0, delta: 'Hello' }]
        : []),
      { type: 'response.output_item.done', output_index, item },
    ])
    const events = [
      { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
      ...added,
      { type: 'response.completed', response: whole },
    ]
    return { whole, events: events.map((event, sequence_number) => ({ ...event, sequence_number })) }
  },
  messages: ({ usage }) => {
    const head = { id: 'm', type: 'message', role: 'assistant', model: 'm' }
    const told = usage as Fields // an object in every row
    return {
      whole: { ...head, content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', usage },
      events: [
        { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage: { ...told, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: told },
        { type: 'message_stop' },
      ],
    }
  },
  gemini: ({ usageMetadata, ...candidate }) => {
    const said = { index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', ...candidate }
    const whole = { candidates: [said], usageMetadata, modelVersion: 'gemini-3-pro' }
    return { whole, events: [whole] }
  },
}

const hello = [{ role: 'user', content: 'Say hello' }]
const BODIES: Readonly<Record<Client, Fields>> = {
  chat: { messages: hello, stream_options: { include_usage: true } },
  responses: { input: 'Say hello', store: false },
  messages: { messages: hello, max_tokens: 50 },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] },
}
const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }

/** The charge, and that of a recomputation from the stored row. */
async function chargesOf(client: Client, isStream: boolean): Promise<readonly [number, number]> {
  const account = await testbed.anAccount()
  const model = MODELS[row.vendor]
  const method = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const { stream_options, ...body } = BODIES[client]
  const own =
    client === 'gemini' ? {} : { model, stream: isStream, ...(isStream && stream_options !== undefined ? { stream_options } : {}) }
  const got = await fetch(`${relay.url}${client === 'gemini' ? `/v1beta/models/${model}:${method}` : PATHS[client]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify({ ...body, ...own, ...row.fields?.[client] }),
  })
  expect([got.status, await got.text()]).toEqual([200, expect.stringContaining('Hello')])
  const event = await vi.waitFor(async () => {
    const [found] = await testbed.eventsOf(account)
    if (found === undefined) throw new Error('not settled yet')
    return found
  })
  return [event.charge, chargeOf(event.body.quote, event.body.usage).charge]
}

describe('a charge follows from the vendor’s answer', () => {
  const table: string[] = []

  it.each(ROWS.map((one) => [one.vendor, one.field, one] as const))('%s: %s', async (_vendor, _field, one) => {
    row = one
    const cells: string[] = []
    for (const client of CLIENTS) {
      const isServed = one.fields === undefined || one.fields[client] !== undefined
      if (!isServed) {
        cells.push('not served')
        continue
      }
      const charges = [...(await chargesOf(client, false)), ...(await chargesOf(client, true))]
      expect([client, ...charges]).toEqual([client, ...Array.from({ length: 4 }, () => one.charge)])
      cells.push(String(charges[0]))
    }
    table.push(`| ${[one.vendor, `\`${one.field}\``, ...cells].join(' | ')} |`)
  })

  it('is in the table', async () => {
    const head = [
      '# Charges by the vendor’s answer',
      '',
      'What a request costs in quota when the vendor’s answer has a field that is charged, for clients of each format. Each cell was measured',
      'with a whole and with a streamed answer, and recomputed from the stored row. The prompt has 100 tokens, the answer 10;',
      `prices: \`${JSON.stringify(PRICE)}\`; tools, in US dollars per 1 000 calls: \`${JSON.stringify(TOOL_PRICES)}\`.`,
      'Written by `services/relay/test/charge-table.test.ts`.',
      '',
      `| vendor | field | ${CLIENTS.join(' | ')} |`,
      '|---|---|---|---|---|---|',
    ]
    await expect(`${[...head, ...table].join('\n')}\n`).toMatchFileSnapshot('../../../docs/generated/charges.md')
  })
})
