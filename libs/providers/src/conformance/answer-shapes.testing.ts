import type { ChatFormat } from '../chat/request.ts'

/** Tests only: streams of any length, by which a vendor would make a translation costly. */
type Events = (n: number) => readonly object[]

const list = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at))
const delta = (change: object) => ({ choices: [{ index: 0, delta: change }] })
const block = (at: number, change: object) => ({ type: 'content_block_delta', index: at, delta: change })
const USAGE = { input_tokens: 1, output_tokens: 1 }

const CHAT: Readonly<Record<string, Events>> = {
  'many pieces of text': (n) => [...list(n, () => delta({ content: 'x' })), delta({})],
  'many pieces of reasoning': (n) => [...list(n, () => delta({ reasoning_content: 'x' })), delta({ content: 'x' })],
  'many calls': (n) =>
    list(n, (at) => delta({ tool_calls: [{ index: at, id: `call_${at}`, function: { name: 'look', arguments: '{}' } }] })),
  'one call in many pieces': (n) => [
    delta({ tool_calls: [{ index: 0, id: 'call_0', function: { name: 'look', arguments: '{"a":"' } }] }),
    ...list(n, () => delta({ tool_calls: [{ index: 0, function: { arguments: 'x' } }] })),
    delta({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }),
  ],
}

const RESPONSES: Readonly<Record<string, Events>> = {
  'many pieces of text': (n) => [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_0', role: 'assistant', content: [] } },
    ...list(n, () => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'msg_0', delta: 'x' })),
  ],
  'many calls': (n) =>
    list(n, (at) => ({
      type: 'response.output_item.done',
      output_index: at,
      item: { type: 'function_call', id: `fc_${at}`, call_id: `call_${at}`, name: 'look', arguments: '{}' },
    })),
  'one call in many pieces': (n) => [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'look', arguments: '' },
    },
    ...list(n, (at) => ({
      type: 'response.function_call_arguments.delta',
      output_index: 0,
      item_id: 'fc_0',
      delta: at === 0 ? '{"a":"' : 'x',
    })),
  ],
}

const MESSAGES: Readonly<Record<string, Events>> = {
  'many pieces of text': (n) => [
    { type: 'message_start', message: { usage: USAGE } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...list(n, () => block(0, { type: 'text_delta', text: 'x' })),
  ],
  'many blocks': (n) => [
    { type: 'message_start', message: { usage: USAGE } },
    ...list(n, (at) => at).flatMap((at) => [
      { type: 'content_block_start', index: at, content_block: { type: 'text', text: '' } },
      block(at, { type: 'text_delta', text: 'x' }),
      { type: 'content_block_stop', index: at },
    ]),
  ],
  'many calls': (n) => [
    { type: 'message_start', message: { usage: USAGE } },
    ...list(n, (at) => at).flatMap((at) => [
      { type: 'content_block_start', index: at, content_block: { type: 'tool_use', id: `toolu_${at}`, name: 'look', input: {} } },
      block(at, { type: 'input_json_delta', partial_json: '{}' }),
      { type: 'content_block_stop', index: at },
    ]),
  ],
  'one call in many pieces': (n) => [
    { type: 'message_start', message: { usage: USAGE } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_0', name: 'look', input: {} } },
    ...list(n, (at) => block(0, { type: 'input_json_delta', partial_json: at === 0 ? '{"a":"' : 'x' })),
  ],
}

const parts = (...given: object[]) => ({ candidates: [{ content: { role: 'model', parts: given } }] })
const GEMINI: Readonly<Record<string, Events>> = {
  'many pieces of text': (n) => list(n, () => parts({ text: 'x' })),
  'many parts in one event': (n) => [parts(...list(n, () => ({ text: 'x' })))],
  'many thoughts': (n) => list(n, () => parts({ text: 'x', thought: true })),
  'many calls': (n) => list(n, (at) => parts({ functionCall: { name: `look_${at}`, args: {} } })),
  'many equal calls': (n) => list(n, () => parts({ functionCall: { name: 'look', args: {} } })),
}

const ONE: Readonly<Record<ChatFormat, (text: string) => object>> = {
  'openai-chat': (content) => delta({ content }),
  'openai-responses': (text) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'msg_0', delta: text }),
  'anthropic-messages': (text) => block(0, { type: 'text_delta', text }),
  gemini: (text) => parts({ text }),
}

const bytesOf = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)

/** The bytes of one event with this text. */
export const oneEvent = (vendor: ChatFormat, text: string): Buffer => bytesOf(ONE[vendor](text))

/** Keyed by vendor format. */
export const STREAMS: Readonly<Record<ChatFormat, Readonly<Record<string, Events>>>> = {
  'openai-chat': CHAT,
  'openai-responses': RESPONSES,
  'anthropic-messages': MESSAGES,
  gemini: GEMINI,
}

/** The bytes of a stream of each of these lengths, event by event. */
export function answersOf(vendor: ChatFormat, name: string, lengths: readonly number[]): ReadonlyMap<number, Buffer[]> {
  const events = STREAMS[vendor][name]
  return new Map(lengths.map((length) => [length, (events?.(length) ?? []).map(bytesOf)]))
}
