import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { ChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { isObject, objectsAt, type JsonObject } from '../json.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { chatOperation } from './chat.ts'

/** Tools that a maker defines and the client runs, on vendors that know only functions. */

const VENDORS = ['openai-chat', 'anthropic-messages', 'gemini', 'bedrock-converse'] as const

function translatorOf(client: ChatFormat, vendor: ApiFormat, body: JsonObject) {
  const operation = chatOperation(chatCodecs[client])
  const read = operation.readRequest(body, {})
  if (read.kind === 'invalid') throw new Error(read.detail)
  const { request } = read
  expect(operation.formatFor([vendor], request)).toBe(vendor)
  return operation.createTranslator(vendor, {
    request,
    raw: Buffer.from(JSON.stringify(body)),
    content_type: 'application/json',
    request_id: 'r',
    created: 1,
    prompt_tokens: 1,
    count: () => undefined,
    settings: { default_max_tokens: () => 9, safety_settings: [], makes_images: () => false },
  })
}

const encoding = { upstream_model: 'up', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }

function sent(client: ChatFormat, vendor: ApiFormat, body: JsonObject): { readonly text: string; readonly warnings: readonly string[] } {
  const { body: bytes, warnings } = translatorOf(client, vendor, body).encode(encoding)
  return { text: bytes.toString(), warnings }
}

type Case = {
  readonly tool: JsonObject & { readonly type: string }
  readonly given: JsonObject
  readonly call: JsonObject
  readonly output: JsonObject
  readonly read: string
}

const CASES: readonly Case[] = [
  {
    tool: { type: 'local_shell' },
    given: { command: ['ls', '-l'] },
    call: { type: 'local_shell_call', call_id: 'c1', status: 'completed', action: { type: 'exec', command: ['ls', '-l'], env: {} } },
    output: { type: 'local_shell_call_output', id: 'c1', output: 'a.txt' },
    read: 'a.txt',
  },
  {
    tool: { type: 'shell', environment: { type: 'local' } },
    given: { commands: ['ls'] },
    call: {
      type: 'shell_call',
      call_id: 'c1',
      status: 'completed',
      action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
    },
    output: {
      type: 'shell_call_output',
      call_id: 'c1',
      output: [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    read: 'exit_code',
  },
  {
    tool: { type: 'apply_patch' },
    given: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
    call: {
      type: 'apply_patch_call',
      call_id: 'c1',
      status: 'completed',
      operation: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
    },
    output: { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'no such line' },
    read: 'failed: no such line',
  },
  {
    tool: {
      type: 'tool_search',
      execution: 'client',
      description: 'Finds tools',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
    },
    given: { query: 'mail' },
    call: { type: 'tool_search_call', call_id: 'c1', status: 'completed', execution: 'client', arguments: { query: 'mail' } },
    output: {
      type: 'tool_search_output',
      call_id: 'c1',
      status: 'completed',
      execution: 'client',
      tools: [{ type: 'function', name: 'send_mail', parameters: { type: 'object', properties: { to: { type: 'string' } } } }],
    },
    read: 'Tools found: send_mail',
  },
]

const asked = { type: 'message', role: 'user', content: 'Hi' }
const chatAnswer = (name: string, given: string) => ({
  id: 'x',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: given } }] },
    },
  ],
})

describe.each(CASES)('the tool $tool.type of a Responses client', ({ tool, given, call, output, read }) => {
  it.each(VENDORS)('is a function for %s, also when its choice is required', (vendor) => {
    const { text, warnings } = sent('openai-responses', vendor, {
      model: 'm',
      input: 'Hi',
      tools: [tool],
      tool_choice: { type: tool.type },
    })

    expect(text).toContain(`"name":"${tool.type}"`)
    for (const field of Object.keys(given)) expect(text).toContain(`"${field}":{"`)
    expect(text).toMatch(/tool_choice|toolChoice|allowedFunctionNames/)
    expect(warnings).toEqual([])
  })

  it('is called by its own item, which OpenAI’s client reads', async () => {
    const translator = translatorOf('openai-responses', 'openai-chat', { model: 'm', input: 'Hi', tools: [tool] })
    const answer = translator.readWhole(Buffer.from(JSON.stringify(chatAnswer(tool.type, JSON.stringify(given)))), 'application/json')
    const body: unknown = answer.kind === 'answer' ? JSON.parse(answer.bytes.toString()) : undefined
    const [item] = objectsAt(body, 'output')
    expect(item).toMatchObject(call)

    const streaming = translatorOf('openai-responses', 'openai-chat', { model: 'm', input: 'Hi', tools: [tool], stream: true })
    const streamed = streaming.readWhole(Buffer.from(JSON.stringify(chatAnswer(tool.type, JSON.stringify(given)))), 'application/json')
    const bytes = streamed.kind === 'answer' ? streamed.bytes : Buffer.alloc(0)
    const fetch = () => Promise.resolve(new Response(bytes, { headers: { 'content-type': 'text/event-stream' } }))
    const client = new OpenAI({ apiKey: 'k', baseURL: 'https://example.com/v1', fetch })
    const final = await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse()

    expect(final.output).toMatchObject([call])
  })

  it('fails with arguments that are broken, because its item cannot hold them', () => {
    const translator = translatorOf('openai-responses', 'openai-chat', { model: 'm', input: 'Hi', tools: [tool] })
    const answer = translator.readWhole(Buffer.from(JSON.stringify(chatAnswer(tool.type, '{"command"'))), 'application/json')

    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'malformed_tool_arguments' } })
  })

  it.each(VENDORS)('comes back in the history as call and result for %s', (vendor) => {
    const { text, warnings } = sent('openai-responses', vendor, { model: 'm', input: [asked, call, output, asked], tools: [tool] })

    expect(text).toContain(JSON.stringify(read).slice(1, -1))
    expect(text).toContain('c1')
    const [value] = Object.values(given)
    const inside = JSON.stringify(value)
    expect(text.includes(inside) || text.includes(JSON.stringify(inside).slice(1, -1))).toBe(true)
    expect(warnings).toEqual([])
  })
})

it('tools that a search of the client found are offered to other vendors once', () => {
  const [, , , search] = CASES
  if (search === undefined) throw new Error('no case')
  const mail = { type: 'function', name: 'send_mail', defer_loading: true, parameters: { type: 'object', properties: { to: {} } } }
  const { text } = sent('openai-responses', 'openai-chat', {
    model: 'm',
    input: [asked, search.call, search.output, asked],
    tools: [search.tool, mail],
  })
  const body: unknown = JSON.parse(text)

  expect(objectsAt(body, 'tools').map((tool) => (isObject(tool['function']) ? tool['function']['name'] : undefined))).toEqual([
    'tool_search',
    'send_mail',
  ])
})

describe('a typed tool of a Messages client', () => {
  const TYPED = [
    ['bash_20250124', 'bash', ['command', 'restart']],
    ['text_editor_20250124', 'str_replace_editor', ['command', 'path', 'old_str', 'new_str', 'undo_edit']],
    ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'path', 'file_text', 'insert_line']],
    ['memory_20250818', 'memory', ['command', 'path', 'old_path', 'new_path']],
  ] as const
  const body = (type: string, name: string) => ({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type, name }],
  })

  describe.each(TYPED)('%s', (type, name, words) => {
    it.each(['openai-chat', 'openai-responses', 'gemini'] as const)('is a function for %s', (vendor) => {
      const { text, warnings } = sent('anthropic-messages', vendor, body(type, name))

      expect(text).toContain(`"name":"${name}"`)
      for (const word of words) expect(text).toContain(`"${word}"`)
      expect(warnings).toEqual([])
    })

    it('is called as a tool_use of its name', () => {
      const translator = translatorOf('anthropic-messages', 'openai-chat', body(type, name))
      const answer = translator.readWhole(Buffer.from(JSON.stringify(chatAnswer(name, '{"command":"view"}'))), 'application/json')

      expect(answer.kind === 'answer' ? JSON.parse(answer.bytes.toString()).content : undefined).toEqual([
        { type: 'tool_use', id: 'c1', name, input: { command: 'view' } },
      ])
    })
  })
})
