import type { ChatFormat } from '@tollgate/providers/chat/request'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import type { JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

type Call = { readonly type: number; readonly client?: ChatFormat; readonly setting?: JsonObject }

function send(body: JsonObject, { type, client = 'openai-chat', setting = {} }: Call) {
  const prepared = prepareSample({ operation: chatOperation(chatCodecs[client]), body, type, setting })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  const raw = prepared.call.body?.toString() ?? ''
  return { raw, body: JSON.parse(raw) as JsonObject, warnings: prepared.warnings }
}

const USER = { role: 'user', content: 'Hi' }
const CALL = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: 'seen' }

describe('messages to a vendor', () => {
  it.each([
    ChannelType.Mistral,
    ChannelType.ZhipuV4,
    ChannelType.Ali,
    ChannelType.Tencent,
    ChannelType.Cohere,
    ChannelType.XAI,
    ChannelType.Perplexity,
    ChannelType.MiniMax,
    ChannelType.BaiduV2,
    ChannelType.VolcEngine,
    ChannelType.Ollama,
    ChannelType.Custom,
    ChannelType.DeepSeek,
  ])('of type %i have role system for developer, also of a client of the same format', (type) => {
    const body = { model: 'some-model', messages: [{ role: 'developer', content: 'Be brief.' }, USER] }

    expect(send(body, { type }).body['messages']).toEqual([{ role: 'system', content: 'Be brief.' }, USER])
  })

  it.each([
    [ChannelType.OpenAI, 'gpt-5.6'],
    [ChannelType.OpenRouter, 'openai/gpt-5.6'],
    [ChannelType.Custom, 'gpt-5.6'],
  ])('of type %i keep it for %s, byte by byte', (type, model) => {
    const body = { model, messages: [{ role: 'developer', content: 'Be brief.' }, USER] }

    expect(send(body, { type }).raw).toBe(JSON.stringify(body))
  })

  it.each([ChannelType.Ali, ChannelType.Zhipu, ChannelType.ZhipuV4])('of type %i have an empty text beside tool calls', (type) => {
    const calls = { role: 'assistant', tool_calls: [CALL] }

    const body = { model: 'qwen-plus', messages: [USER, { ...calls, content: null }, RESULT, calls] }

    expect(send(body, { type }).body['messages']).toEqual([USER, { ...calls, content: '' }, RESULT, { ...calls, content: '' }])
  })

  it('have an empty text beside the tool calls of a client of Responses', () => {
    const input = [
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
    ]

    const { body } = send({ model: 'qwen-plus', input }, { type: ChannelType.Ali, client: 'openai-responses' })

    expect(body['messages']).toEqual([USER, { role: 'assistant', content: '', tool_calls: [CALL] }, { ...RESULT, name: 'look' }])
  })
})

describe('the thinking switch of Ali', () => {
  it.each(['qwen3-235b-a22b-thinking-2507', 'qwen3.8-max', 'qwq-plus', 'deepseek-r1'])('is not set for %s, which only thinks', (model) => {
    expect(send({ model, messages: [USER] }, { type: ChannelType.Ali }).body).not.toHaveProperty('enable_thinking')
  })

  it('is not set beside an effort, and is otherwise off without a stream', () => {
    const body = { model: 'qwen3-32b', messages: [USER] }

    expect(send({ ...body, reasoning_effort: 'high' }, { type: ChannelType.Ali }).body).not.toHaveProperty('enable_thinking')
    expect(send(body, { type: ChannelType.Ali }).body['enable_thinking']).toBe(false)
  })
})

describe('system messages after the first turn', () => {
  const LATER = { role: 'system', content: 'Now in French.' }
  const chat = { model: 'some-model', messages: [{ role: 'system', content: 'Be brief.' }, USER, LATER] }
  const messages = { model: 'glm-5', max_tokens: 5, messages: [USER, LATER] }

  it.each([ChannelType.Ollama, ChannelType.Xinference, ChannelType.Mistral])('join the first for type %i, with a warning', (type) => {
    const sent = send(chat, { type })

    expect(sent.body['messages']).toEqual([{ role: 'system', content: 'Be brief.\n\nNow in French.' }, USER])
    expect(sent.warnings).toEqual(['system_position'])
  })

  it('join the first for a client of Messages too', () => {
    const { body } = send(messages, { type: ChannelType.Ollama, client: 'anthropic-messages' })

    expect(body['messages']).toEqual([{ role: 'system', content: 'Now in French.' }, USER])
  })

  it('join the first where several begin the conversation', () => {
    const leading = [{ role: 'system', content: 'Be brief.' }, { role: 'developer', content: 'In French.' }, USER]

    const { body } = send({ ...chat, messages: leading }, { type: ChannelType.Ollama })
    expect(body['messages']).toEqual([{ role: 'system', content: 'Be brief.\n\nIn French.' }, USER])
  })

  it.each([ChannelType.ZhipuV4, ChannelType.Ali])('are the user’s at the Messages address of type %i', (type) => {
    const sent = send(messages, { type, client: 'anthropic-messages' })

    expect(sent.body['messages']).toEqual([USER, { ...LATER, role: 'user' }])
    expect(sent.warnings).toEqual(['system_position'])
  })

  it('go where the channel says', () => {
    const at = (system_messages: string, type: number = ChannelType.Custom) => send(chat, { type, setting: { system_messages } }).body

    expect(at('first')['messages']).toEqual([{ role: 'system', content: 'Be brief.\n\nNow in French.' }, USER])
    expect(at('user')['messages']).toEqual([{ role: 'system', content: 'Be brief.' }, USER, { ...LATER, role: 'user' }])
    expect(at('keep', ChannelType.Ollama)['messages']).toEqual(chat.messages)
    const inMessages = send(messages, { type: ChannelType.ZhipuV4, client: 'anthropic-messages', setting: { system_messages: 'first' } })
    expect(inMessages.body).toMatchObject({ system: 'Now in French.', messages: [USER] })
  })

  it('stay where the vendor accepts them, byte by byte', () => {
    expect(send(chat, { type: ChannelType.OpenAI }).raw).toBe(JSON.stringify(chat))
  })
})

describe('a schema of a client of chat for DeepSeek', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const chat = { model: 'deepseek-chat', messages: [{ role: 'system', content: 'Be brief.' }, USER] }
  const asking = { ...chat, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }

  it('goes as an instruction, with a warning', () => {
    const { body, warnings } = send(asking, { type: ChannelType.DeepSeek })

    expect(body['response_format']).toEqual({ type: 'json_object' })
    expect(body['messages']).toEqual([chat.messages[0], { role: 'system', content: expect.stringMatching(/JSON Schema.*"city"/s) }, USER])
    expect(warnings).toEqual(['response_format: sent as an instruction'])
  })

  it('passes as it is to other services, and without a schema nothing is changed', () => {
    expect(send(asking, { type: ChannelType.OpenRouter })).toMatchObject({ body: asking, warnings: [] })
    const plain = { ...chat, response_format: { type: 'json_object' } }
    expect(send(plain, { type: ChannelType.DeepSeek })).toMatchObject({ body: plain, warnings: [] })
  })
})
