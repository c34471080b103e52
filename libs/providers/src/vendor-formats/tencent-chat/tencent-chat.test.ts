import { expect, it } from 'vitest'
import { withSystemPrompt } from '../../adapters/system-prompt.ts'
import { chatOperation } from '../../operations/chat.ts'
import { meaningOf } from '../../conformance/meaning.ts'
import { openAiChat } from '../../chat/formats/openai-chat/index.ts'
import { tencentChat } from './index.ts'

const chat = chatOperation(openAiChat)

/** Hunyuan's body for one of OpenAI's chat. */
function sent(body: object) {
  const given = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body }
  const decoded = chat.readRequest(given, {})
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  const translator = chat.createTranslator('tencent-chat', {
    request: decoded.request,
    raw: Buffer.from(JSON.stringify(given)),
    content_type: 'application/json',
    request_id: 'r',
    created: 1,
    prompt_tokens: 1,
    count: () => {},
    settings: { default_max_tokens: () => 100, safety_settings: [], makes_images: () => false },
  })
  const encoding = { supports_stream_options: true, param_override: {}, patch: undefined, media: new Map<string, never>() }
  const encoded = translator.encode({ ...encoding, upstream_model: 'hunyuan-turbos' })
  return { body: JSON.parse(encoded.body.toString()) as unknown, warnings: encoded.warnings } // compared below
}

const weather = { name: 'weather', parameters: { type: 'object', properties: { city_name: { type: 'string' } } } }

it('leaves out fields that the vendor’s client does not know, and those of a schema in it stay', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } }
  const parameters = { type: 'object', properties: { detail: { type: 'string' }, strict: { type: 'boolean' } } }
  const tool = { type: 'function', function: { name: 'f', parameters, strict: true } }

  const text = JSON.stringify(sent({ messages: [{ role: 'user', content: [image] }], tools: [tool] }).body)

  expect(text).toContain('"ImageUrl":{"Url":"https://example.com/a.png"}')
  expect(text).not.toMatch(/"Detail"|"Strict"/)
  expect(text).toContain(JSON.stringify(JSON.stringify(parameters)))
})

it.each([
  [{ reasoning_effort: 'high' }, true],
  [{ reasoning_effort: 'none' }, false],
  [{}, undefined],
])('switches thinking by its own field: %j', (body, expected) => {
  expect((sent(body).body as { EnableThinking?: boolean }).EnableThinking).toBe(expected) // declared above
})

it('writes tools with their schema as text, and the names in it unchanged', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city_name":"Rome"}' } }
  const { body, warnings } = sent({
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    ],
    tools: [{ type: 'function', function: weather }],
    tool_choice: { type: 'function', function: { name: 'weather' } },
  })
  const Function = { Name: 'weather', Parameters: JSON.stringify(weather.parameters) }

  expect(body).toEqual({
    Model: 'hunyuan-turbos',
    Messages: [
      { Role: 'user', Content: 'Weather?' },
      {
        Role: 'assistant',
        Content: '',
        ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'weather', Arguments: '{"city_name":"Rome"}' } }],
      },
      { Role: 'tool', ToolCallId: 'c1', Content: 'sunny' },
    ],
    Tools: [{ Type: 'function', Function }],
    ToolChoice: 'custom',
    CustomTool: { Type: 'function', Function },
  })
  expect(warnings).toEqual([])
})

it('writes instructions first and turns of the same speaker as one, and names what it cannot send', () => {
  const { body, warnings } = sent({
    messages: [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
      { role: 'system', content: 'Be brief' },
    ],
    stop: 'END',
    seed: 20_000,
    max_tokens: 5,
    tools: [
      { type: 'function', function: weather },
      { type: 'function', function: { ...weather, name: 'forecast' } },
    ],
    tool_choice: 'required',
  })

  expect(body).toMatchObject({
    Messages: [
      { Role: 'system', Content: 'Be brief' },
      { Role: 'user', Content: 'One\nTwo' },
    ],
    Stop: ['END'],
    ToolChoice: 'auto',
  })
  expect(Object.keys(body as object)).not.toContain('Seed')
  expect(warnings).toEqual(expect.arrayContaining(['max_tokens', 'seed', 'tool_choice']))
})

it('requires the only tool by its name, because the API cannot require any tool', () => {
  const { body, warnings } = sent({
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [{ type: 'function', function: weather }],
    tool_choice: 'required',
  })

  expect(body).toMatchObject({ ToolChoice: 'custom', CustomTool: { Type: 'function', Function: { Name: 'weather' } } })
  expect(warnings).toEqual([])
})

it('writes images under the name for parts', () => {
  const content = [
    { type: 'text', text: 'What?' },
    { type: 'image_url', image_url: { url: 'https://a.example/1.png' } },
  ]

  expect(sent({ messages: [{ role: 'user', content }] }).body).toMatchObject({
    Messages: [
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'What?' },
          { Type: 'image_url', ImageUrl: { Url: 'https://a.example/1.png' } },
        ],
      },
    ],
  })
})

it('puts the system prompt of a channel before the conversation', () => {
  const body = { Messages: [{ Role: 'user', Content: 'Hi' }] }
  const first = withSystemPrompt('tencent-chat', { text: 'Be kind', is_first: false }, body)

  expect(first).toEqual({
    Messages: [
      { Role: 'system', Content: 'Be kind' },
      { Role: 'user', Content: 'Hi' },
    ],
  })
  expect(withSystemPrompt('tencent-chat', { text: 'New', is_first: false }, first)).toEqual(first)
  expect(withSystemPrompt('tencent-chat', { text: 'New', is_first: true }, first)).toMatchObject({
    Messages: [{ Content: 'New\nBe kind' }, {}],
  })
})

it('reads calls, reasoning and a stop by moderation', () => {
  const decoder = tencentChat.vendor.createDecoder()
  const chunk = (Choice: object) => `data: ${JSON.stringify({ Id: 'h1', Choices: [{ Index: 0, ...Choice }] })}\n\n`
  const call = { Id: 'c1', Type: 'function', Index: 0, Function: { Name: 'weather', Arguments: '{"city_name":' } }
  const events = [
    { Delta: { ReasoningContent: 'Hm' }, FinishReason: '' },
    { Delta: { ToolCalls: [call] }, FinishReason: '' },
    { Delta: { ToolCalls: [{ Index: 0, Function: { Arguments: '"Rome"}' } }] }, FinishReason: 'tool_calls' },
  ].flatMap((choice) => decoder.push(Buffer.from(chunk(choice))))
  const refused = tencentChat.vendor.decodeAnswer({ Response: { Choices: [{ Message: { Content: 'Ha' }, FinishReason: 'sensitive' }] } })

  expect(events).toContainEqual({ kind: 'reasoning', text: 'Hm' })
  expect(meaningOf(events)).toMatchObject({ calls: [{ name: 'weather', input: { city_name: 'Rome' } }], finish: 'tools' })
  expect(refused.at(-1)).toEqual({ kind: 'finish', finish: 'filter' })
})
